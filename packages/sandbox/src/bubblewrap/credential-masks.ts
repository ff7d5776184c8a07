import { readdirSync, realpathSync } from "node:fs";
import { isBelow, isUnder } from "../policy/paths.ts";
import type { SandboxPolicy } from "../policy/policy.ts";
import { credentialPaths } from "../policy/protected-rule.ts";
import { covers } from "../policy/rules.ts";
import { forFs, toBytes, toText, type BytePath } from "../backend/byte-path.ts";
import { maxMaskedSiblings } from "../limits.ts";
import { canFill, kindAt } from "../backend/protected-scan.ts";

/** A place whose content a command must neither read nor change. */
export interface CredentialMask {
  readonly path: BytePath;
  readonly of: "directory" | "file";
  /**
   * Names that stay refused although a grant opens something below: the directory must be searchable then, and what
   * it holds would read as missing. Undefined: nothing below is open, the directory itself refuses.
   */
  readonly siblings: readonly BytePath[] | undefined;
  /** A grant of the directory alone lets its names be listed. */
  readonly listable: boolean;
}

/** The credential paths that exist and that no grant of this policy opens. */
export function credentialMasks(policy: SandboxPolicy): readonly CredentialMask[] {
  const masks = new Map<BytePath, CredentialMask>();
  for (const text of credentialPaths(policy.environment)) {
    const path = realOf(toBytes(text));
    if (path === undefined || masks.has(path)) continue;
    const directory = kindAt(path) === "directory";
    const grants = policy.rules("bash").grants;
    const covering = grants.filter((grant) => covers(grant, toText(path)));
    if (covering.some((grant) => !directory || grant.scope === "subtree")) continue;
    const opened = grants.map((grant) => toBytes(grant.path)).filter((grant) => isBelow(grant, path));
    const listable = covering.length > 0;
    masks.set(path, { path, of: directory ? "directory" : "file", siblings: listable || opened.length > 0 ? siblingsOf(path, opened) : undefined, listable });
  }
  return [...masks.values()].filter((mask) => ![...masks.values()].some((other) => other.siblings === undefined && isBelow(mask.path, other.path)));
}

/** The credential paths that a grant wider than they are opens for reading, but does not name: never writable. */
export function readOnlyCredentials(policy: SandboxPolicy, masks: readonly CredentialMask[]): readonly BytePath[] {
  return credentialPaths(policy.environment).flatMap((text) => {
    const path = realOf(toBytes(text));
    if (path === undefined || masks.some((mask) => isUnder(path, mask.path))) return [];
    const writable = kindAt(path) === "directory" ? canFill(policy, text) : policy.check(text, "write", "bash").allowed;
    return writable ? [] : [path];
  });
}

function siblingsOf(directory: BytePath, opened: readonly BytePath[]): readonly BytePath[] {
  const openNames = new Set(opened.map((path) => path.slice(directory.length + 1).split("/")[0]));
  try {
    return readdirSync(forFs(directory), "latin1")
      .filter((name) => !openNames.has(name))
      .slice(0, maxMaskedSiblings)
      .map((name) => `${directory}/${name}`);
  } catch {
    return [];
  }
}

/** Credential paths that do not exist, and could be made by a command because a grant covers their parent. */
export function creatableCredentials(policy: SandboxPolicy, areas: readonly BytePath[]): readonly BytePath[] {
  return credentialPaths(policy.environment)
    .filter((path) => areas.some((area) => isBelow(toBytes(path), area)) && !policy.check(path, "write", "bash").allowed && !canFill(policy, path))
    .map(toBytes)
    .filter((path) => kindAt(path) === undefined);
}

/** A mask covers what a link leads to; undefined where there is nothing to mask. */
function realOf(path: BytePath): BytePath | undefined {
  // Most credential paths do not exist, and asking so is much cheaper than resolving them.
  if (kindAt(path) === undefined) return undefined;
  try {
    return realpathSync.native(forFs(path), "latin1");
  } catch {
    return undefined;
  }
}
