import type { Actor } from "./access.ts";
import type { WritableDevice } from "./devices.ts";
import { writableDevices } from "./devices.ts";
import type { SandboxEnvironment } from "./environment.ts";
import type { PathGrant } from "./grant.ts";
import type { ProtectedMatcher } from "./matcher.ts";
import type { SandboxMode } from "./mode.ts";
import { isUnder, unique } from "./paths.ts";
import { hooksAnywhere, namesInGrant, type ProtectedRule } from "./protected-rule.ts";

/**
 * A policy for one actor, as data: what `check`, the Seatbelt profile and the bubblewrap plan are all made from.
 *
 * Reading: everything, except a credential path that no grant covers and unlocks.
 * Writing: a device; else nothing hard-protected; else what lies under a writable root and is neither sensitive nor
 * credential; else what a write grant covers and unlocks.
 */
export interface PolicyRules {
  readonly actor: Actor;
  readonly workspaceRoot: string;
  /** Writable without a grant, with all below it that no rule protects. */
  readonly writableRoots: readonly string[];
  readonly protectedRules: readonly ProtectedRule[];
  readonly grants: readonly RuleGrant[];
  readonly devices: readonly WritableDevice[];
  /** Fixed paths compare without regard to case. Names inside the workspace always do. */
  readonly foldsCase: boolean;
  readonly network: "host" | "none";
}

/** A grant and what it opens besides ordinary paths. Nothing unlocks a hard-protected path. */
export interface RuleGrant extends PathGrant {
  /** Its own path is sensitive: it opens the sensitive paths it covers. */
  readonly unlocksSensitive: boolean;
  /** Its own path is a credential path: it opens the credential paths it covers, a write grant also for writing. */
  readonly unlocksCredential: boolean;
  /** What a write grant does not open although it covers it: git hooks, and names in it that it does not name. */
  readonly leavesClosed: readonly ProtectedRule[];
}

export interface RuleSource {
  readonly mode: SandboxMode;
  readonly workspaceRoot: string;
  readonly grants: readonly PathGrant[];
  readonly environment: SandboxEnvironment;
  readonly network: "host" | "none";
}

export function policyRules(source: RuleSource, actor: Actor, protectedRules: readonly ProtectedRule[], matcher: ProtectedMatcher): PolicyRules {
  const { environment } = source;
  return {
    actor,
    workspaceRoot: source.workspaceRoot,
    writableRoots: writableRoots(source, actor),
    protectedRules,
    grants: source.grants.map((grant) => ruleGrant(grant, source, matcher)),
    devices: writableDevices(environment.platform ?? process.platform),
    foldsCase: environment.foldsCase ?? false,
    network: source.network,
  };
}

/** Whether the workspace is a home or lies above one: then commands may not write it. */
function workspaceHoldsHome(source: Pick<RuleSource, "workspaceRoot" | "environment">): boolean {
  const { home, credentialHomes } = source.environment;
  return [home, ...credentialHomes].some((path) => isUnder(path, source.workspaceRoot));
}

export function covers(grant: PathGrant, path: string): boolean {
  return grant.scope === "exact" ? grant.path === path : isUnder(path, grant.path);
}

function writableRoots(source: RuleSource, actor: Actor): readonly string[] {
  const { tempRoots } = source.environment;
  const workspace = actor === "file-tool" || (source.mode === "auto" && !workspaceHoldsHome(source));
  return unique(workspace ? [...tempRoots, source.workspaceRoot] : tempRoots);
}

function ruleGrant(grant: PathGrant, { workspaceRoot, environment }: RuleSource, matcher: ProtectedMatcher): RuleGrant {
  const hits = matcher.match(grant.path);
  const unlocksSensitive = hits.sensitive !== undefined;
  // Inside the workspace, and in what is known to be sensitive, the rules of the workspace say it all.
  const hasNames = grant.scope === "subtree" && !unlocksSensitive && !isUnder(grant.path, workspaceRoot);
  return {
    ...grant,
    unlocksSensitive,
    unlocksCredential: hits.credential !== undefined,
    leavesClosed: grant.access === "read" ? [] : [...hooksAnywhere, ...(hasNames ? namesInGrant(grant.path, environment) : [])],
  };
}
