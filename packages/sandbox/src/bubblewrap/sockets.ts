import { lstatSync, readdirSync, readFileSync, statSync } from "node:fs";
import { isBelow, isUnder, parentOf } from "../policy/paths.ts";
import { forDisplay, forFs, toBytes, type BytePath } from "../backend/byte-path.ts";
import { maxDirectorySockets, maxListeningSockets } from "../limits.ts";
import { kindAt, realPathAt } from "../backend/entry-at.ts";
import type { MountLimit } from "./mount-plan.ts";

/** Sockets of services live here. */
const runtimeDirectory = "/run";

/** What programs need of `/run` and cannot be used to leave the sandbox. */
const keptInRuntimeDirectory = ["/run/current-system", "/run/booted-system", "/run/opengl-driver", "/run/systemd/resolve/resolv.conf", "/run/systemd/resolve/stub-resolv.conf"] as const;

/** Directories that a `/tmp`-wide look for sockets goes down. */
const socketSearchDepth = 2;

/** Entries of one directory that are looked at. */
const maxEntriesLookedAt = 5000;

export interface SocketMasks {
  /** Directories to hide as a whole. */
  readonly hidden: readonly BytePath[];
  /** What is shown of them all the same. */
  readonly shown: readonly BytePath[];
  /** Single sockets. */
  readonly sockets: readonly BytePath[];
  /** Directories that their owner, or a command, has closed, and may open again: to be hidden with the sockets in them. */
  readonly closed: readonly BytePath[];
}

/**
 * Where services of this machine listen. A read-only mount does not stop a connection, so they have to be hidden.
 * A limit where that would be too many: none of them stays open in silence.
 *
 * @param kept directories that must stay: the workspace, the temp roots
 * @param tempRoots where single sockets are looked for
 */
export function socketMasks(kept: readonly BytePath[], tempRoots: readonly BytePath[], xdgRuntimeDirectory: string | undefined): SocketMasks | MountLimit {
  const candidates = [runtimeDirectory, xdgRuntimeDirectory === undefined ? undefined : realPathAt(toBytes(xdgRuntimeDirectory))].filter((path) => path !== undefined);
  const hidden = candidates
    .filter((path) => path !== "/" && kindAt(path) === "directory" && (path === runtimeDirectory || !kept.some((other) => isUnder(other, path))))
    .filter((path, index, all) => !all.some((other, at) => at !== index && isBelow(path, other)) && all.indexOf(path) === index);
  const shown = [...keptInRuntimeDirectory, realPathAt("/etc/resolv.conf")].filter((path) => path !== undefined).filter((path) => isBelow(path, runtimeDirectory) && realPathAt(path) !== undefined);
  const isHidden = (path: BytePath): boolean => hidden.some((directory) => isUnder(path, directory));
  const workspace = kept[0] ?? "/";
  const leadsOut = (path: BytePath): boolean => !isHidden(path) && !isUnder(path, workspace) && isSocket(path) && canBeReached(path);
  const bound = [...new Set(boundPaths())];
  const closed = new Set([...new Set(bound.map(parentOf))].map(closedAt).filter((path) => path !== undefined).filter((path) => !isHidden(path) && !isUnder(path, workspace)));
  const needed = [...closed].find((path) => kept.some((other) => isUnder(other, path)));
  if (needed !== undefined) return { limit: `programs listen on sockets in ${forDisplay(needed)}, which is closed even to its owner`, instead: "ask the user to open that directory (chmod u+rwx)" };
  const listening = [...new Set(bound.map(realPathAt).filter((path) => path !== undefined))].filter(leadsOut);
  if (listening.length + closed.size > maxListeningSockets) {
    return {
      limit: `${listening.length + closed.size} sockets on which programs listen would have to be hidden from it, more than the limit of ${maxListeningSockets}`,
      instead: "end background commands that listen on sockets, or ask the user to end such programs",
    };
  }
  // Nobody may listen on these. The oldest first: a command can make many, but none that is older.
  const known = new Set(listening);
  const others = [...new Set(tempRoots.flatMap((root) => socketsIn(root, socketSearchDepth)))].filter((path) => !known.has(path) && leadsOut(path));
  const oldest = others.length > maxDirectorySockets ? byAge(others).slice(0, maxDirectorySockets) : others;
  return { hidden, shown: [...new Set(shown)], sockets: [...listening, ...oldest], closed: [...closed] };
}

/**
 * Directories between a writable one and what is hidden in it. They must keep their names: under another one, the next
 * command would find the socket where nobody looks for it.
 */
export function socketPins({ sockets, closed }: Pick<SocketMasks, "sockets" | "closed">, areas: readonly BytePath[]): readonly BytePath[] {
  const pins = new Set<BytePath>();
  for (const path of [...sockets, ...closed]) {
    const area = areas.find((candidate) => isBelow(path, candidate));
    if (area === undefined) continue;
    for (let at = parentOf(path); isBelow(at, area); at = parentOf(at)) pins.add(at);
  }
  return [...pins].toSorted((left, right) => left.length - right.length);
}

/** Every path at which somebody in this network namespace has bound a socket. */
function boundPaths(): readonly BytePath[] {
  try {
    return readFileSync("/proc/net/unix", "latin1")
      .split("\n")
      .map((line) => /^\S+ \S+ \S+ \S+ \S+ \S+ +\d+ (\/.*)$/.exec(line)?.[1])
      .filter((path) => path !== undefined);
  } catch {
    return [];
  }
}

/** Sockets of another network namespace, such as a container's, are only seen in the directory. */
function socketsIn(directory: BytePath, depth: number): readonly BytePath[] {
  try {
    const entries = readdirSync(forFs(directory), { withFileTypes: true, encoding: "latin1" }).slice(0, maxEntriesLookedAt);
    return entries.flatMap((entry) => {
      const path = `${directory}/${entry.name}`;
      if (entry.isSocket()) return [path];
      return entry.isDirectory() && depth > 1 && /sock|ssh|agent|X11|tmux|ICE|dbus|runtime|run/i.test(entry.name) ? socketsIn(path, depth - 1) : [];
    });
  } catch {
    return [];
  }
}

function byAge(paths: readonly BytePath[]): readonly BytePath[] {
  const aged = paths.map((path) => ({ path, ctimeMs: lstatSync(forFs(path), { throwIfNoEntry: false })?.ctimeMs ?? Infinity }));
  return aged.toSorted((left, right) => left.ctimeMs - right.ctimeMs).map(({ path }) => path);
}

function isSocket(path: BytePath): boolean {
  try {
    return lstatSync(forFs(path), { throwIfNoEntry: false })?.isSocket() ?? false;
  } catch {
    return false;
  }
}

/**
 * Whether a command, which has this process's user but none of its capabilities, can get to the path at all. A socket
 * in another user's private directory needs no mask, and a mask there could not be mounted.
 */
function canBeReached(path: BytePath): boolean {
  const parents = [...path.matchAll(/\//g)].map((slash) => path.slice(0, slash.index) || "/");
  return parents.every((parent) => canBeEntered(parent));
}

/**
 * The directory itself, or the first one above it, that belongs to this user and cannot be entered: a command, which is
 * the same user, may have closed it, and can open it again.
 */
function closedAt(directory: BytePath): BytePath | undefined {
  for (const { index } of `${directory}/`.slice(1).matchAll(/\//g)) {
    const parent = directory.slice(0, index + 1);
    try {
      const stats = statSync(forFs(parent), { throwIfNoEntry: false });
      if (stats?.isDirectory() !== true) return undefined;
      if (stats.uid === process.geteuid?.() && (stats.mode & (searchBit << 6)) === 0) return realPathAt(parent);
    } catch {
      return undefined;
    }
  }
  return undefined;
}

const searchBit = 0o1;

function canBeEntered(directory: BytePath): boolean {
  try {
    const { mode, uid, gid } = lstatSync(forFs(directory));
    if (uid === process.geteuid?.()) return (mode & (searchBit << 6)) !== 0;
    const inGroup = gid === process.getegid?.() || (process.getgroups?.().includes(gid) ?? false);
    return (mode & (inGroup ? searchBit << 3 : searchBit)) !== 0;
  } catch {
    return false;
  }
}
