import { isBelow, isUnder, nameOf, parentOf } from "../policy/paths.ts";
import type { SandboxPolicy } from "../policy/policy.ts";
import { toBytes, toText, type BytePath } from "../backend/byte-path.ts";
import { credentialMasks, existingCredentials, readOnlyCredentials, type CredentialMask } from "./credential-masks.ts";
import { maxProtectedMounts, mountsAim } from "../limits.ts";
import { kindAt, realPathAt } from "../backend/entry-at.ts";
import { writableAreas, type ProtectedEntry, type ProtectedScan } from "../backend/protected-scan.ts";

export type Mount =
  | { readonly kind: "writable"; readonly path: BytePath }
  | { readonly kind: "read-only"; readonly path: BytePath }
  | ({ readonly kind: "mask" } & CredentialMask);

export interface MountPlan {
  /** Parents before children; each changes what its parent's mount says. */
  readonly mounts: readonly Mount[];
  /** Directories that must keep their name: mounted under the writable mount that covers them. */
  readonly pins: readonly BytePath[];
  /** Outermost writable directories. */
  readonly areas: readonly BytePath[];
  /** Protected files and links without a mount that protects all of them: verified after the call. */
  readonly verified: readonly BytePath[];
  readonly masked: readonly BytePath[];
}

/** Why a command cannot be started: one clause. */
export interface MountLimit {
  readonly limit: string;
  /** What can be done, if that is not a smaller workspace. */
  readonly instead?: string;
}

/** What the policy means in mounts. `mustMount`: files too large to keep a copy of; `linked`: files with other names. */
export function planMounts(policy: SandboxPolicy, scan: ProtectedScan, files: { readonly mustMount: ReadonlySet<BytePath>; readonly linked: ReadonlySet<BytePath> }): MountPlan | MountLimit {
  const areas = outermost(writableAreas(policy).map(toBytes));
  const closed = scan.entries.filter((entry) => !entry.open);
  const credentials = existingCredentials(policy);
  const masks = credentialMasks(policy, credentials);
  const plan = new Planner(areas);

  for (const area of writableAreas(policy)) plan.add({ kind: "writable", path: toBytes(area) });
  for (const grant of policy.rules("bash").grants) {
    const path = toBytes(grant.path);
    if (!policy.check(grant.path, grant.access, "bash").allowed) continue;
    const kind = kindAt(path);
    if (kind === undefined || (kind === "directory" && grant.scope === "exact")) continue;
    if (grant.access === "write") plan.add({ kind: "writable", path });
    else if (masks.some((mask) => isBelow(path, mask.path))) plan.add({ kind: "read-only", path });
  }
  for (const mask of masks) plan.add({ kind: "mask", ...mask });
  for (const path of readOnlyCredentials(policy, credentials, masks)) plan.add({ kind: "read-only", path });
  for (const entry of closed) if (entry.kind === "directory" && entry.covers === "subtree") plan.add({ kind: "read-only", path: entry.path });
  for (const entry of closed) if (entry.kind === "link") plan.protectTarget(entry, policy);
  for (const entry of scan.entries) if (entry.kind === "directory" && entry.covers === "entry") plan.pin(entry.path);
  if (areas.some((area) => isBelow(policy.workspaceRoot, area))) plan.pin(toBytes(policy.workspaceRoot));

  const size = plan.size();
  if (size > maxProtectedMounts) {
    return { limit: `${closed.filter((entry) => entry.kind === "directory").length} protected directories need ${size} mounts, more than the limit of ${maxProtectedMounts}` };
  }
  const verified = [...closed.filter((entry) => entry.kind === "link").map((entry) => entry.path), ...files.linked];
  let used = size;
  for (const entry of byDepth(closed.filter((candidate) => candidate.kind === "file" || candidate.kind === "other"))) {
    if (plan.isClosed(entry.path)) continue;
    const mustMount = files.mustMount.has(entry.path) || entry.kind === "other";
    const grown = used + plan.cost(entry.path);
    if (grown <= (mustMount ? maxProtectedMounts : mountsAim)) {
      plan.add({ kind: "read-only", path: entry.path });
      used = grown;
    } else if (mustMount) {
      return { limit: `protected files that are too large to keep a copy of need more than the limit of ${maxProtectedMounts} mounts` };
    } else {
      verified.push(entry.path);
    }
  }
  const mounts = plan.mounts();
  return { mounts, pins: plan.pins(mounts), areas, verified: [...new Set(verified)], masked: masks.map((mask) => mask.path) };
}

class Planner {
  readonly #areas: readonly BytePath[];
  readonly #mounts = new Map<BytePath, Mount>();
  readonly #pins = new Set<BytePath>();

  constructor(areas: readonly BytePath[]) {
    this.#areas = areas;
  }

  /** A later, stricter mount on the same path wins. */
  add(mount: Mount): void {
    this.#mounts.set(mount.path, mount);
    if (mount.kind !== "writable") for (const ancestor of this.#ancestors(mount.path)) this.#pins.add(ancestor);
  }

  pin(path: BytePath): void {
    if (this.#area(path) === undefined) return;
    for (const one of [path, ...this.#ancestors(path)]) this.#pins.add(one);
  }

  /** What a protected link leads to must not change either. */
  protectTarget(link: ProtectedEntry, policy: SandboxPolicy): void {
    const target = realPathAt(link.path);
    if (target === undefined || this.#area(target) === undefined || this.#areas.includes(target)) return;
    // As a directory of such a name is protected, so is what a link of that name leads to.
    if (link.covers === "entry" && kindAt(target) === "directory") this.pin(target);
    else if (policy.decide(toText(target), "write", "bash").by.kind !== "grant") this.add({ kind: "read-only", path: target });
  }

  /** Whether a mount around the path keeps it from being written already. */
  isClosed(path: BytePath): boolean {
    for (let at = parentOf(path); ; at = parentOf(at)) {
      const around = this.#mounts.get(at);
      if (around !== undefined) return around.kind !== "writable";
      if (at === "/") return true;
    }
  }

  size(): number {
    const mounts = this.mounts();
    return mounts.filter((mount) => mount.kind !== "writable").length + this.pins(mounts).length;
  }

  /** Mounts that one more protected file would add. */
  cost(path: BytePath): number {
    return 1 + this.#ancestors(path).filter((ancestor) => !this.#pins.has(ancestor) && !this.#mounts.has(ancestor)).length;
  }

  /** In order, without those that would change nothing. */
  mounts(): readonly Mount[] {
    return byDepth([...this.#mounts.values()]).filter((mount) => mount.kind === "mask" || (mount.kind === "writable") === this.isClosed(mount.path) || (mount.kind === "read-only" && this.#isMasked(mount.path)));
  }

  pins(mounts: readonly Mount[]): readonly BytePath[] {
    const mounted = new Set(mounts.map((mount) => mount.path));
    return byDepth([...this.#pins].filter((path) => !mounted.has(path) && !this.isClosed(path)).map((path) => ({ path }))).map(({ path }) => path);
  }

  #isMasked(path: BytePath): boolean {
    for (let at = parentOf(path); at !== "/"; at = parentOf(at)) {
      const around = this.#mounts.get(at);
      if (around !== undefined) return around.kind === "mask";
    }
    return false;
  }

  #ancestors(path: BytePath): readonly BytePath[] {
    const area = this.#area(path);
    if (area === undefined) return [];
    const ancestors: BytePath[] = [];
    for (let at = parentOf(path); isBelow(at, area); at = parentOf(at)) ancestors.push(at);
    return ancestors;
  }

  #area(path: BytePath): BytePath | undefined {
    return this.#areas.find((area) => isBelow(path, area));
  }
}

function outermost(paths: readonly BytePath[]): readonly BytePath[] {
  return paths.filter((path) => !paths.some((other) => isBelow(path, other)));
}

function byDepth<Item extends { readonly path: BytePath }>(items: readonly Item[]): readonly Item[] {
  return items.map((item) => ({ item, depth: item.path.split("/").length })).toSorted((left, right) => left.depth - right.depth).map(({ item }) => item);
}

/** Names the mounts that make `busy` a refusal. */
export function isPinnedName(plan: Pick<MountPlan, "pins" | "mounts">, line: string): boolean {
  return [...plan.pins, ...plan.mounts.map((mount) => mount.path)].some((path) => namesPath(line, toText(path)));
}

/** Whether a message names a path, in full or by its last part, as a whole word. */
export function namesPath(line: string, path: string): boolean {
  return isUnder(path, "/") && [path, nameOf(path)].some((name) => name !== "" && holdsName(line, name));
}

function holdsName(line: string, name: string): boolean {
  for (let at = line.indexOf(name); at !== -1; at = line.indexOf(name, at + 1)) {
    const [before, after] = [line[at - 1], line[at + name.length]];
    if ((before === undefined || !/[\w.-]/.test(before)) && (after === undefined || !/[\w-]/.test(after))) return true;
  }
  return false;
}
