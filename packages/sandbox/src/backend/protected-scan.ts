import { deviceRoot } from "../policy/devices.ts";
import { isBelow, isUnder, joinPath, parentOf } from "../policy/paths.ts";
import type { SandboxPolicy } from "../policy/policy.ts";
import { fixedPath } from "../policy/protected-rule.ts";
import { toBytes, toText, type BytePath } from "./byte-path.ts";
import { DirectoryCache, type CachedDirectory, type Candidate } from "./directory-cache.ts";
import { kindAt, type EntryKind } from "./entry-at.ts";
import { isSameList } from "./same-list.ts";
import { SharedLook } from "./shared-look.ts";

/** A protected entry where the command could otherwise write. */
export interface ProtectedEntry {
  readonly path: BytePath;
  readonly kind: EntryKind;
  /** `entry`: it must stay what it is; what a directory of this kind holds is ordinary. */
  readonly covers: "entry" | "subtree";
  /** The command may write it: a grant names it. */
  readonly open: boolean;
  /** Closed itself, but a grant opens something below. */
  readonly holdsGrant: boolean;
}

export interface ProtectedScan {
  readonly entries: readonly ProtectedEntry[];
  /** Protected places with a fixed path that do not exist and could be created. */
  readonly missing: readonly BytePath[];
}

/** No file is called so: stands for "anything new in this directory". */
const anyChild = "\u0001";

/**
 * The kernel takes no path of 4096 bytes, so what a directory of a longer one holds cannot be seen: it is protected as
 * a whole. Commands get there one directory at a time.
 */
const maxWalkedPathBytes = 3800;

/** What is remembered of one workspace. */
interface Memory {
  /** Of directories in which ordinary names are ordinary. */
  readonly names: DirectoryCache;
  /** Of those in which every entry is protected. */
  readonly everything: DirectoryCache;
  /** Without a grant, what a candidate is depends on the environment alone. */
  readonly judged: WeakMap<Candidate, Judged>;
  /** The directories of the last walk, in its order. */
  walked: readonly CachedDirectory[];
}

interface Judged {
  readonly environment: SandboxPolicy["environment"];
  /** Undefined: nothing protected. */
  readonly entry: ProtectedEntry | undefined;
}

/** Memories are shared by all policies with the same protected names. */
export class ProtectedScanner {
  readonly #memories = new Map<string, Memory>();
  readonly #look = new SharedLook();

  /**
   * Finds what is protected in everything that `bash` may write under this policy.
   *
   * @param reveal makes a directory readable that cannot be read; false where it cannot
   */
  scan(policy: SandboxPolicy, reveal: (path: BytePath) => boolean = () => false): ProtectedScan {
    const memory = this.#memoryOf(policy);
    const { names, everything } = memory;
    names.nextWalk();
    everything.nextWalk();
    const unchanged = this.#look.unchanged(memory.walked);
    const walked: CachedDirectory[] = [];
    const found = new Map<BytePath, ProtectedEntry>();
    const pending: { readonly directory: CachedDirectory; readonly inside: boolean }[] = [];
    const push = (path: BytePath, inside: boolean): void => void pending.push({ directory: (inside ? everything : names).at(path), inside });

    const take = (candidate: Candidate, inside: boolean): void => {
      const entry = judge(candidate, policy, memory);
      const isDirectory = candidate.kind === "directory";
      if (entry === undefined) {
        if (isDirectory) push(candidate.path, inside);
        return;
      }
      found.set(entry.path, entry);
      const subtree = entry.covers === "subtree";
      if (isDirectory && (!subtree || entry.open || entry.holdsGrant)) push(entry.path, inside || subtree);
    };

    for (const { path, inside } of walkRoots(policy)) push(path, inside);
    const missing: BytePath[] = [];
    for (const path of fixedPaths(policy)) {
      const kind = kindAt(path);
      if (kind === undefined) missing.push(path);
      else if (!found.has(path)) take({ path, kind }, true);
    }
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const { directory, inside } = next;
      const { path } = directory;
      if (path.length > maxWalkedPathBytes) {
        found.set(path, { path, kind: "directory", covers: "subtree", open: false, holdsGrant: false });
        continue;
      }
      // The walk goes as the last one went, as long as nothing has changed.
      const position = walked.push(directory) - 1;
      const listing = directory.list(memory.walked[position] === directory && unchanged(position)) ?? (reveal(path) ? directory.list() : undefined);
      if (listing === undefined) continue;
      for (const subdirectory of listing.subdirectories) pending.push({ directory: subdirectory, inside });
      for (const candidate of listing.candidates) take(candidate, inside);
    }
    if (!isSameList(walked, memory.walked)) memory.walked = walked;
    return { entries: [...found.values()], missing };
  }

  /** Ends what helps with scans. */
  close(): void {
    this.#look.close();
  }

  #memoryOf(policy: SandboxPolicy): Memory {
    const { additions } = policy.environment;
    const key = JSON.stringify([policy.workspaceRoot, additions.hardProtectedNames, additions.sensitiveNames]);
    const known = this.#memories.get(key);
    if (known !== undefined) return known;
    const made: Memory = { names: new DirectoryCache((name) => policy.canBeginProtected(name)), everything: new DirectoryCache(() => true), judged: new WeakMap(), walked: [] };
    this.#memories.set(key, made);
    return made;
  }
}

function judge(candidate: Candidate, policy: SandboxPolicy, { judged }: Memory): ProtectedEntry | undefined {
  if (policy.grants.length > 0) return entryOf(candidate, policy);
  const known = judged.get(candidate);
  if (known?.environment === policy.environment) return known.entry;
  const entry = entryOf(candidate, policy);
  judged.set(candidate, { environment: policy.environment, entry });
  return entry;
}

/** Undefined: no rule protects it. */
function entryOf({ path, kind }: Candidate, policy: SandboxPolicy): ProtectedEntry | undefined {
  const text = toText(path);
  const hits = policy.matches(text);
  const rules = [hits.hardProtected, hits.sensitive].filter((rule) => rule !== undefined);
  if (rules.length === 0) return undefined;
  const isDirectory = kind === "directory";
  const subtree = rules.some((rule) => rule.covers === "subtree");
  const open = policy.check(isDirectory && subtree ? anyChildOf(text) : text, "write", "bash").allowed;
  const holdsGrant = isDirectory && !open && policy.grants.some((grant) => grant.access === "write" && isBelow(grant.path, text));
  return { path, kind, covers: subtree ? "subtree" : "entry", open, holdsGrant };
}

/** A path for asking what holds for ordinary entries of a directory. */
export function anyChildOf(directory: string): string {
  return joinPath(directory, anyChild);
}

/** Whether `bash` may create ordinary files in the directory. */
export function canFill(policy: SandboxPolicy, directory: string): boolean {
  return policy.check(anyChildOf(directory), "write", "bash").allowed;
}

/** Directories that `bash` may write, outermost ones and those below a closed one alike. */
export function writableAreas(policy: SandboxPolicy): readonly string[] {
  const rules = policy.rules("bash");
  const granted = rules.grants.filter((grant) => grant.access === "write" && grant.scope === "subtree").map((grant) => grant.path);
  return [...new Set([...rules.writableRoots, ...granted])].filter((path) => canFill(policy, path) && kindAt(toBytes(path)) === "directory");
}

/** Where names have to be looked for: the writable part of the workspace, and granted directories anywhere. */
function walkRoots(policy: SandboxPolicy): readonly { path: BytePath; inside: boolean }[] {
  const { workspaceRoot } = policy;
  const areas = writableAreas(policy);
  const wholeWorkspace = areas.some((area) => isUnder(workspaceRoot, area)) && canFill(policy, workspaceRoot);
  const granted = new Set(policy.grants.map((grant) => grant.path));
  const roots = areas.filter((area) => {
    if (isBelow(area, workspaceRoot)) return !wholeWorkspace || !canFill(policy, parentOf(area));
    return area !== workspaceRoot && (granted.has(area) || policy.tier(area) === "sensitive");
  });
  return [
    ...(wholeWorkspace ? [{ path: toBytes(workspaceRoot), inside: false }] : []),
    ...roots.map((area) => ({ path: toBytes(area), inside: policy.tier(area) !== "normal" || area.split("/").some((name) => policy.canBeginProtected(name)) })),
  ];
}

/** Hard-protected and sensitive places with a path of their own, as far as a command could write there. */
function fixedPaths(policy: SandboxPolicy): readonly BytePath[] {
  const areas = writableAreas(policy);
  const paths = policy
    .rules("bash")
    .protectedRules.filter((rule) => rule.root !== deviceRoot)
    .map(fixedPath)
    .filter((path) => path !== undefined)
    .filter((path) => areas.some((area) => isBelow(path, area)));
  return [...new Set(paths)].map(toBytes);
}
