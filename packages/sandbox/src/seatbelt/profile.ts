import type { WritableDevice } from "../policy/devices.ts";
import { isBelow, isUnder, parentOf } from "../policy/paths.ts";
import type { ProtectedRule } from "../policy/protected-rule.ts";
import type { PolicyRules, RuleGrant } from "../policy/rules.ts";
import type { SandboxPolicy } from "../policy/policy.ts";
import type { Actor } from "../policy/access.ts";
import { all, any, grantFilters, literal, not, patternRootsInside, protectedInside, regex, subtree } from "./filters.ts";
import { depthAnchor } from "./name-pattern.ts";
import { Parameters } from "./parameters.ts";

/** A profile and the values of its parameters. The text holds no path. */
export interface SeatbeltProfile {
  readonly text: string;
  /** By name, `P0` and up: what `-D` is given. */
  readonly parameters: Readonly<Record<string, string>>;
}

/**
 * The profile that enforces a policy on one actor (production compiles bash only, the parity suite both).
 *
 * It stays where all accounts of the language agree: competing rules use one operation, nothing is allowed on a part of
 * an operation that was denied as a whole, denials come last, and exceptions stand inside the rule they belong to.
 *
 * @param existing protected paths that exist inside writable directories: their ancestors must not be renamed, because
 *   a rename asks about the directory and not about what is in it
 */
export function seatbeltProfile(policy: SandboxPolicy, actor: Actor, existing: readonly string[] = []): SeatbeltProfile {
  const rules = policy.rules(actor);
  const parameters = new Parameters();
  const writable = writableRegions(rules, parameters);
  const lines = [
    "(version 1)",
    "(allow default)",
    "(deny file-write*)",
    "(deny file-link)",
    // These start programs outside the sandbox.
    "(deny lsopen)",
    "(deny appleevent-send)",
    ...(rules.network === "none" ? ["(deny network*)"] : []),
    `(allow file-write* ${rules.devices.map((device) => deviceFilter(device, parameters)).join(" ")})`,
    ...writable.map((filter) => `(allow file-write* ${filter})`),
    ...writable.map((filter) => `(allow file-link ${filter})`),
    ...pinnedDenial(pinnedDirectories(rules, existing), parameters),
    ...credentialDenials(rules, parameters),
  ];
  return { text: `${lines.join("\n")}\n`, parameters: parameters.values };
}

/** One filter for each region that may be written, with whatever stays closed in it carved out. */
function writableRegions(rules: PolicyRules, parameters: Parameters): readonly string[] {
  const roots = rules.writableRoots.flatMap((root) => regionsBelow(root, rules.protectedRules, rules.protectedRules, parameters));
  const grants = rules.grants.filter((grant) => grant.access === "write").flatMap((grant) => grantRegions(grant, rules, parameters));
  return [...new Set([...roots, ...grants])];
}

function grantRegions(grant: RuleGrant, rules: PolicyRules, parameters: Parameters): readonly string[] {
  const closed = [...rules.protectedRules.filter((rule) => !unlocked(rule, grant)), ...grant.leavesClosed];
  if (grant.scope === "subtree") return regionsBelow(grant.path, closed, rules.protectedRules, parameters);
  return [all([literal(grant.path, parameters), ...protectedInside(grant.path, closed, parameters).map(not)])];
}

function unlocked(rule: ProtectedRule, grant: RuleGrant): boolean {
  return (rule.tier === "sensitive" && grant.unlocksSensitive) || (rule.tier === "credential" && grant.unlocksCredential);
}

/**
 * A root as regions: names are looked for below certain directories only, so such a directory inside the root is a
 * region of its own, and the rest of the root leaves it out.
 */
function regionsBelow(root: string, closed: readonly ProtectedRule[], every: readonly ProtectedRule[], parameters: Parameters): readonly string[] {
  const inner = patternRootsInside(root, every);
  return [root, ...inner].map((region) => {
    const elsewhere = inner.filter((other) => isBelow(other, region));
    const left = elsewhere.filter((other) => !elsewhere.some((wider) => isBelow(other, wider)));
    const carved = [...left.flatMap((other) => subtree(other, parameters)), ...protectedInside(region, closed, parameters)];
    return all([any(subtree(region, parameters)), ...[...new Set(carved)].map(not)]);
  });
}

function pinnedDenial(directories: readonly string[], parameters: Parameters): readonly string[] {
  return directories.length === 0 ? [] : [`(deny file-write-unlink ${directories.map((path) => literal(path, parameters)).join(" ")})`];
}

/** Directories that hold something protected, up to the root of what may be written, and the workspace with its own. */
export function pinnedDirectories(rules: PolicyRules, existing: readonly string[]): readonly string[] {
  const writable = [...rules.writableRoots, ...rules.grants.filter((grant) => grant.access === "write").map((grant) => grant.path)];
  const fixed = rules.protectedRules.map((rule) => rule.root);
  const found = new Set<string>();
  for (const path of new Set([...existing, ...fixed])) {
    if (path === rules.workspaceRoot && writable.some((root) => isUnder(path, root))) found.add(path);
    for (let above = path; above !== "/"; ) {
      above = parentOf(above);
      if (found.has(above)) break;
      if (writable.some((root) => isUnder(above, root))) found.add(above);
    }
  }
  return [...found].toSorted();
}

/** Reading is refused inside the denial only, so that nothing has to be allowed after it. */
function credentialDenials(rules: PolicyRules, parameters: Parameters): readonly string[] {
  const paths = [...new Set(rules.protectedRules.filter((rule) => rule.tier === "credential").map((rule) => rule.root))];
  const closed = paths.filter((path) => !rules.grants.some((grant) => grant.scope === "subtree" && grant.unlocksCredential && isUnder(path, grant.path)));
  return closed.map((path) => {
    // A path below two credential paths is read only where neither denial stands in the way, as with the grants.
    const open = rules.grants.filter((grant) => isUnder(grant.path, path)).flatMap((grant) => grantFilters(grant, parameters));
    return `(deny file-read* ${all([any(subtree(path, parameters)), ...[...new Set(open)].map(not)])})`;
  });
}

function deviceFilter(device: WritableDevice, parameters: Parameters): string {
  if ("path" in device) return literal(device.path, parameters);
  const cut = device.numbered.lastIndexOf("/");
  const directory = device.numbered.slice(0, cut);
  return all([`(subpath ${parameters.of(directory)})`, regex(`${depthAnchor(directory)}${device.numbered.slice(cut)}[0-9]+$`)]);
}
