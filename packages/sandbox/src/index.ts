export type { Access, Actor, DenialReason, Tier, Verdict } from "./policy/access.ts";
export { tiers } from "./policy/access.ts";
export { noAdditions, type SandboxEnvironment, type TierAdditions } from "./policy/environment.ts";
export { maxGrants, type PathGrant } from "./policy/grant.ts";
export { narrowerMode, sandboxModes, type SandboxMode } from "./policy/mode.ts";
export { SandboxPolicy } from "./policy/policy.ts";
export type { SandboxPolicyFields } from "./policy/policy-fields.ts";
export type {
  Classification,
  RunnerExit,
  SandboxAvailability,
  SandboxBackend,
  SandboxCommand,
  SandboxLaunch,
  SandboxRefusal,
  SandboxSettlement,
} from "./backend/backend.ts";
export { bashEnvironment } from "./policy/bash-environment.ts";
export { bashDenialText, fileDenialText, hardProtectedText, sandboxUnavailableText, type EscalationWay } from "./policy/denial-texts.ts";
export { isWritableDevice, type WritableDevice } from "./policy/devices.ts";
export type { LinkedPlace, ProtectedAliases } from "./policy/environment.ts";
export { explain, type Explanation } from "./policy/explain.ts";
export { canonicalWorkspace, type CanonicalWorkspace } from "./policy/host/canonical-workspace.ts";
export { realPathOf } from "./policy/host/real-path.ts";
export { resolveEnvironment, type EnvironmentOptions } from "./policy/host/resolve-environment.ts";
export type { ProtectedHits } from "./policy/matcher.ts";
export { isBelow, isNormalisedAbsolute, isUnder } from "./policy/paths.ts";
export type { Decision } from "./policy/policy.ts";
export type { ProtectedRule, SegmentPattern } from "./policy/protected-rule.ts";
export type { PolicyRules, RuleGrant } from "./policy/rules.ts";
export { validateGrants, type GrantRefusal, type GrantRefusalCause } from "./policy/validate-grants.ts";
export { platformBackend } from "./platform/platform-backend.ts";
export { unavailableBackend } from "./backend/unavailable-backend.ts";
export { bubblewrapBackend, type BubblewrapOptions } from "./bubblewrap/bubblewrap-backend.ts";
export { seatbeltBackend } from "./seatbelt/backend.ts";
export { seatbeltProfile, type SeatbeltProfile } from "./seatbelt/profile.ts";
export { dropQuarantined, listQuarantine, restoreQuarantined, type QuarantineAction, type QuarantinedEntry } from "./quarantine/quarantine-list.ts";
export { doctor, type DoctorFinding, type DoctorPlaces } from "./platform/doctor.ts";
export { makeDirectory } from "./backend/make-directory.ts";
export { isProcessRunning, ownProcess, type ProcessIdentity } from "./backend/process-identity.ts";
export { protectedWrites, type ProtectedWrites } from "./quarantine/protected-writes.ts";
