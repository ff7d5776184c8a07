export type { Access, Actor, DenialReason, Tier, Verdict } from "./policy/access.ts";
export { tiers } from "./policy/access.ts";
export { noAdditions, type SandboxEnvironment, type TierAdditions } from "./policy/environment.ts";
export { maxGrants, type PathGrant } from "./policy/grant.ts";
export { narrowerMode, sandboxModes, type SandboxMode } from "./policy/mode.ts";
export { SandboxPolicy, type SandboxPolicyFields } from "./policy/policy.ts";
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
