import { deviceRoot } from "../policy/devices.ts";
import { isBelow, isUnder, joinPath, parentOf } from "../policy/paths.ts";
import type { SandboxPolicy } from "../policy/policy.ts";
import { fixedPath } from "../policy/protected-rule.ts";
import { toBytes, toText, type BytePath } from "./byte-path.ts";
import { DirectoryCache } from "./directory-cache.ts";
import { kindAt, type EntryKind } from "./entry-at.ts";

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

/** Caches are shared by all policies with the same protected names. */
export class ProtectedScanner {
  readonly #caches = new Map<string, { readonly names: DirectoryCache; readonly everything: DirectoryCache }>();

  /**
   * Finds what is protected in everything that `bash` may write under this policy.
   *
   * @param reveal makes a directory readable that cannot be read; false where it cannot
   */
  scan(policy: SandboxPolicy, reveal: (path: BytePath) => boolean = () => false): ProtectedScan {
    const { names, everything } = this.#cachesFor(policy);
    names.nextWalk();
    everything.nextWalk();
    const found = new Map<BytePath, ProtectedEntry>();
    const pending: { path: BytePath; inside: boolean }[] = [];
    const granted = policy.grants.filter((grant) => grant.access === "write").map((grant) => grant.path);

    const take = (path: BytePath, kind: EntryKind, inside: boolean): void => {
      const text = toText(path);
      const hits = policy.matches(text);
      const rules = [hits.hardProtected, hits.sensitive].filter((rule) => rule !== undefined);
      if (rules.length === 0) {
        if (kind === "directory") pending.push({ path, inside });
        return;
      }
      const directory = kind === "directory";
      const subtree = rules.some((rule) => rule.covers === "subtree");
      const open = policy.check(directory && subtree ? anyChildOf(text) : text, "write", "bash").allowed;
      const holdsGrant = directory && !open && granted.some((grant) => isBelow(grant, text));
      found.set(path, { path, kind, covers: subtree ? "subtree" : "entry", open, holdsGrant });
      if (directory && (!subtree || open || holdsGrant)) pending.push({ path, inside: inside || subtree });
    };

    for (const root of walkRoots(policy)) pending.push(root);
    const missing: BytePath[] = [];
    for (const path of fixedPaths(policy)) {
      const kind = kindAt(path);
      if (kind === undefined) missing.push(path);
      else if (!found.has(path)) take(path, kind, true);
    }
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      if (next.path.length > maxWalkedPathBytes) {
        found.set(next.path, { path: next.path, kind: "directory", covers: "subtree", open: false, holdsGrant: false });
        continue;
      }
      const cache = next.inside ? everything : names;
      const listing = cache.list(next.path) ?? (reveal(next.path) ? cache.list(next.path) : undefined);
      if (listing === undefined) continue;
      for (const path of listing.subdirectories) pending.push({ path, inside: next.inside });
      for (const { path, kind } of listing.candidates) take(path, kind, next.inside);
    }
    return { entries: [...found.values()], missing };
  }

  #cachesFor(policy: SandboxPolicy): { readonly names: DirectoryCache; readonly everything: DirectoryCache } {
    const { additions } = policy.environment;
    const key = JSON.stringify([policy.workspaceRoot, additions.hardProtectedNames, additions.sensitiveNames]);
    const known = this.#caches.get(key);
    if (known !== undefined) return known;
    const made = { names: new DirectoryCache((name) => policy.canBeginProtected(name)), everything: new DirectoryCache(() => true) };
    this.#caches.set(key, made);
    return made;
  }
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
