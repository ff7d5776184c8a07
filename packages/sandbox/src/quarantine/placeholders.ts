import { closeSync, constants } from "node:fs";
import { toBytes, toText, type BytePath } from "../backend/byte-path.ts";
import { kindAt } from "../backend/entry-at.ts";
import { canFill } from "../backend/protected-scan.ts";
import { parentOf } from "../policy/paths.ts";
import type { SandboxPolicy } from "../policy/policy.ts";
import { inParent, isErrno } from "./directory-handle.ts";

export interface Placeholder {
  readonly path: BytePath;
  readonly kind: "file" | "directory";
}

/**
 * A granted path that does not exist, where commands cannot create it, needs something to mount: an empty file for an
 * exact grant, a directory for a subtree, and the directories on the way. Where commands may create it, nothing is made.
 */
export function neededPlaceholders(policy: SandboxPolicy): readonly Placeholder[] {
  const needed = new Map<BytePath, Placeholder>();
  for (const grant of policy.grants) {
    if (grant.access !== "write" || !policy.check(grant.path, "write", "bash").allowed || kindAt(toBytes(grant.path)) !== undefined) continue;
    const missing: BytePath[] = [];
    let at = toBytes(grant.path);
    for (; kindAt(at) === undefined; at = parentOf(at)) missing.unshift(at);
    if (kindAt(at) !== "directory" || canFill(policy, toText(at))) continue;
    for (const path of missing) {
      const leaf = path === toBytes(grant.path);
      if (!needed.has(path)) needed.set(path, { path, kind: leaf && grant.scope === "exact" ? "file" : "directory" });
    }
  }
  return [...needed.values()];
}

/** Makes them, parents first. One that exists by now is somebody else's and is left out of what is returned. */
export function makePlaceholders(placeholders: readonly Placeholder[]): readonly BytePath[] {
  return placeholders.filter(make).map(({ path }) => path);
}

/** Removes those that nobody has used. `kept`: paths another command still needs. */
export function removePlaceholders(paths: readonly BytePath[], kept: ReadonlySet<BytePath>): void {
  for (const path of paths.toReversed()) {
    if (kept.has(path)) continue;
    inParent(path, (parent, name) => {
      const stats = parent.stats(name);
      try {
        if (stats?.isFile() === true && stats.size === 0n && stats.mtimeNs <= stats.birthtimeNs) parent.unlink(name);
        else if (stats?.isDirectory() === true) parent.removeDirectory(name);
      } catch (error) {
        // In use, or no longer ours to remove: what somebody put there stays.
        if (!isErrno(error, "ENOTEMPTY", "EEXIST", "EBUSY", "ENOENT", "EACCES", "EPERM", "EROFS")) throw error;
      }
    });
  }
}

function make({ path, kind }: Placeholder): boolean {
  try {
    return (
      inParent(path, (parent, name) => {
        if (kind === "directory") parent.makeDirectory(name, 0o755);
        else closeSync(parent.openFile(name, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o644));
        return true;
      }) ?? false
    );
  } catch (error) {
    if (isErrno(error, "EEXIST", "EACCES", "EPERM", "EROFS")) return false;
    throw error;
  }
}
