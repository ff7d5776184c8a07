import type { Actor } from "./access.ts";
import { maxGrants, type PathGrant } from "./grant.ts";
import { isNormalisedAbsolute, isUnder } from "./paths.ts";
import type { SandboxPolicy } from "./policy.ts";

export type GrantRefusalCause = "none" | "too_many" | "not_normalised" | "hard_protected" | "too_wide" | "already_allowed";

/** Why an escalation is not even shown to the user. `message` is for the model and names the next step. */
export interface GrantRefusal {
  readonly cause: GrantRefusalCause;
  readonly message: string;
  /** The entry that is at fault. */
  readonly grant?: PathGrant;
}

/** Null where the user can be asked for these grants (already resolved to real paths), else the first fault. */
export function validateGrants(policy: SandboxPolicy, grants: readonly PathGrant[], actor: Actor): GrantRefusal | null {
  if (grants.length === 0) {
    return { cause: "none", message: "sandboxPermissions lists no paths; list the paths this call needs, or leave sandboxPermissions out" };
  }
  if (grants.length > maxGrants) {
    return {
      cause: "too_many",
      message: `sandboxPermissions lists ${grants.length} paths and at most ${maxGrants} are possible; name the directory that holds them with scope "subtree", or split the work into several calls`,
    };
  }
  for (const grant of grants) {
    const refusal = validateGrant(policy, grant, actor);
    if (refusal) return refusal;
  }
  return null;
}

function validateGrant(policy: SandboxPolicy, grant: PathGrant, actor: Actor): GrantRefusal | null {
  const { path, access, scope } = grant;
  if (!isNormalisedAbsolute(path)) {
    return { cause: "not_normalised", grant, message: `sandboxPermissions names ${show(path)}, which is not a normalised absolute path; give it without ".", "..", doubled or trailing slashes` };
  }
  if (isNeverGranted(policy, grant, actor)) {
    return { cause: "hard_protected", grant, message: `${show(path)} is protected and cannot be granted in any mode; leave it out, and ask the user to change it if it must be changed` };
  }
  if (scope === "subtree" && holdsHome(policy, path)) {
    return { cause: "too_wide", grant, message: `a grant for everything below ${show(path)} is too wide; name the directory or file inside it that this call needs` };
  }
  if (policy.check(path, access, actor).allowed) {
    const verb = access === "read" ? "reading" : "writing";
    return {
      cause: "already_allowed",
      grant,
      message: `${verb} ${show(path)} needs no permission under the current policy; leave it out, and list the path that was refused instead, or leave sandboxPermissions out`,
    };
  }
  return null;
}

/** Git hooks outside the workspace are of no tier, and still no grant opens them. */
function isNeverGranted(policy: SandboxPolicy, { path, access }: PathGrant, actor: Actor): boolean {
  if (policy.tier(path) === "hard-protected") return true;
  const verdict = policy.check(path, access, actor);
  return !verdict.allowed && verdict.reason === "hard_protected";
}

function holdsHome(policy: SandboxPolicy, path: string): boolean {
  const { home, credentialHomes } = policy.environment;
  return path === "/" || [home, ...credentialHomes].some((candidate) => isUnder(candidate, path));
}

/** A path may hold anything, line breaks included: quoted where it could be taken for more than a path. */
function show(path: string): string {
  return /^[\x21-\x7e]+$/.test(path) && path !== "" ? path : JSON.stringify(path);
}
