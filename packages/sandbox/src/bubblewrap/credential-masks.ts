import { readdirSync } from "node:fs";
import { isBelow, isUnder } from "../policy/paths.ts";
import type { SandboxPolicy } from "../policy/policy.ts";
import { credentialPaths } from "../policy/protected-rule.ts";
import { covers } from "../policy/rules.ts";
import { forFs, toBytes, toText, type BytePath } from "../backend/byte-path.ts";
import { maxMaskedSiblings } from "../limits.ts";
import { kindAt, realPathAt } from "../backend/entry-at.ts";
import { canFill } from "../backend/protected-scan.ts";

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

/** A credential path that is there. */
export interface ExistingCredential {
  /** As the policy writes it. */
  readonly written: string;
  /** What it leads to: a mask covers that. */
  readonly path: BytePath;
  readonly directory: boolean;
}

export function existingCredentials({ environment }: SandboxPolicy): readonly ExistingCredential[] {
  return credentialPaths(environment).flatMap((written) => {
    const path = realPathAt(toBytes(written));
    return path === undefined ? [] : [{ written, path, directory: kindAt(path) === "directory" }];
  });
}

/** Those that no grant of this policy opens. */
export function credentialMasks(policy: SandboxPolicy, existing: readonly ExistingCredential[]): readonly CredentialMask[] {
  const masks = new Map<BytePath, CredentialMask>();
  for (const { path, directory } of existing) {
    if (masks.has(path)) continue;
    const grants = policy.rules("bash").grants;
    const covering = grants.filter((grant) => grant.unlocksCredential && covers(grant, toText(path)));
    if (covering.some((grant) => !directory || grant.scope === "subtree")) continue;
    const opened = grants.map((grant) => toBytes(grant.path)).filter((grant) => isBelow(grant, path));
    const listable = covering.length > 0;
    masks.set(path, { path, of: directory ? "directory" : "file", siblings: listable || opened.length > 0 ? siblingsOf(path, opened) : undefined, listable });
  }
  return [...masks.values()].filter((mask) => ![...masks.values()].some((other) => other.siblings === undefined && isBelow(mask.path, other.path)));
}

/** The credential paths that a read grant opens inside what a write grant opens: never writable. */
export function readOnlyCredentials(policy: SandboxPolicy, existing: readonly ExistingCredential[], masks: readonly CredentialMask[]): readonly BytePath[] {
  return existing
    .filter(({ path }) => !masks.some((mask) => isUnder(path, mask.path)))
    .filter(({ written, directory }) => !(directory ? canFill(policy, written) : policy.check(written, "write", "bash").allowed))
    .map(({ path }) => path);
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
