import type { BytePath } from "../backend/byte-path.ts";
import { isUnder, joinPath, parentOf } from "../policy/paths.ts";
import type { MountPlan } from "./mount-plan.ts";
import { parseMountInfo, type MountLine } from "../policy/host/mount-info.ts";
import type { SocketMasks } from "./sockets.ts";

/** What each planned path must carry in the sandbox. */
export interface PlannedMounts {
  readonly writable: ReadonlySet<BytePath>;
  readonly readOnly: ReadonlySet<BytePath>;
  /** Covers: a file or directory of a file system in memory, which nobody can change. */
  readonly covers: ReadonlySet<BytePath>;
  /** Covers over which nothing may lie, however planned. */
  readonly topmost: ReadonlySet<BytePath>;
}

/** The runner's own; they are mounted whole, and everything else is checked one by one. */
const ownTrees = ["/dev", "/proc"] as const;

export function plannedMounts(plan: Pick<MountPlan, "mounts" | "pins" | "areas">, sockets: SocketMasks): PlannedMounts {
  const of = (kind: MountPlan["mounts"][number]["kind"]): readonly BytePath[] => plan.mounts.filter((mount) => mount.kind === kind).map((mount) => mount.path);
  const writable = new Set(of("writable"));
  const topmost = new Set([...of("mask"), ...sockets.sockets]);
  const readOnly = [...sockets.shown, ...plan.pins, ...of("read-only")].filter((path) => !writable.has(path) && !topmost.has(path));
  return { writable, readOnly: new Set(readOnly), covers: new Set([...sockets.hidden, ...topmost]), topmost };
}

/**
 * Whether the mounts of a sandbox are the planned ones. The runner goes to each path once more by name, so whoever can
 * rename on the way may lead a mount elsewhere. Such a mount is missing where it was planned, shows another directory,
 * or stands where none was planned; undefined where nothing of that is so, else what differs, for a test or a log.
 *
 * @param inside mountinfo of the sandbox
 * @param outside mountinfo of this process, which the sandbox shows read-only
 */
export function mountFault(inside: string, outside: string, planned: PlannedMounts): string | undefined {
  const mounts = parseMountInfo(inside);
  const host = byPoint(parseMountInfo(outside));
  const root = mounts[0];
  if (root === undefined || root.point !== "/" || root.writable) return "/ is not read-only";
  const last = new Map(mounts.map((mount, index) => [mount.point, { mount, index }]));
  const seen = (path: BytePath): MountLine | undefined => last.get(path)?.mount;
  const covered = lowestCovers(last, planned);

  for (const path of planned.writable) if (!shows(seen(path), path, host, root) || seen(path)?.writable !== true) return `${path} is not mounted writable`;
  for (const path of planned.readOnly) if (!shows(seen(path), path, host, root) || seen(path)?.writable !== false) return `${path} is not mounted read-only`;
  for (const path of planned.covers) if (seen(path)?.type !== "tmpfs" || seen(path)?.writable !== false) return `${path} is not covered`;

  for (const [index, mount] of mounts.entries()) {
    if (ownTrees.some((tree) => isUnder(mount.point, tree)) || mount === root) continue;
    const isPlanned = planned.readOnly.has(mount.point) || planned.covers.has(mount.point) || planned.writable.has(mount.point);
    const known = host.get(mount.point)?.some((one) => one.root === mount.root && one.device === mount.device) ?? false;
    if (!isPlanned && !known) return `${mount.point} is mounted, which was not planned`;
    if (mount.writable && !planned.writable.has(mount.point) && !mayStayWritable(mount.point, mounts, host, planned)) return `${mount.point} is mounted writable, which was not planned`;
    if ((covered.get(mount.point) ?? index) < index) return `${mount.point} is mounted over a cover`;
  }
  return undefined;
}

/** Whether the mount shows what the machine has at this path. */
function shows(mount: MountLine | undefined, path: BytePath, host: ReadonlyMap<BytePath, readonly MountLine[]>, root: MountLine): boolean {
  if (mount === undefined) return false;
  for (let at = path; ; at = parentOf(at)) {
    const rest = path.slice(at === "/" ? 1 : at.length + 1);
    // In a changed root, the machine's own list may lack the mount that `/` is on.
    for (const around of host.get(at) ?? (at === "/" ? [root] : [])) {
      if (around.device === mount.device && mount.root === (rest === "" ? around.root : joinPath(around.root, rest))) return true;
    }
    if (at === "/") return false;
  }
}

/** The machine's own mounts below a writable directory are writable with it; one that the user cannot enter, or that another covers, stays as it is. */
function mayStayWritable(point: BytePath, mounts: readonly MountLine[], host: ReadonlyMap<BytePath, readonly MountLine[]>, planned: PlannedMounts): boolean {
  for (let at = parentOf(point); ; at = parentOf(at)) {
    if (planned.writable.has(at)) return true;
    if (at === "/" || planned.readOnly.has(at) || planned.covers.has(at)) break;
  }
  return mounts.filter((mount) => mount.point === point).length <= (host.get(point)?.length ?? 0);
}

/** For each path at or above a cover over which nothing may lie: which mount the first such cover is. */
function lowestCovers(last: ReadonlyMap<BytePath, { readonly index: number }>, planned: PlannedMounts): ReadonlyMap<BytePath, number> {
  const lowest = new Map<BytePath, number>();
  for (const path of planned.topmost) {
    const index = last.get(path)?.index ?? 0;
    for (let at = path; ; at = parentOf(at)) {
      lowest.set(at, Math.min(index, lowest.get(at) ?? index));
      if (at === "/") break;
    }
  }
  return lowest;
}

function byPoint(mounts: readonly MountLine[]): ReadonlyMap<BytePath, readonly MountLine[]> {
  const points = new Map<BytePath, MountLine[]>();
  for (const mount of mounts) {
    const same = points.get(mount.point);
    if (same === undefined) points.set(mount.point, [mount]);
    else same.push(mount);
  }
  return points;
}
