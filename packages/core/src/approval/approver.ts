import type { Access, SandboxMode, Tier } from "@fencepost/sandbox";
import type { DangerousCommand } from "@fencepost/tools";

/** What a person is asked before one call runs. The only answers are: allow once, deny. Nothing is remembered. */
export interface PermissionRequest {
  readonly requestId: string;
  readonly callId: string;
  readonly sessionId: string;
  readonly toolId: string;
  /** A card may be both. `call`: a preset asks about every such call. */
  readonly kinds: readonly ("escalation" | "dangerous" | "call")[];
  readonly mode: SandboxMode;
  /** The whole command, for tools that run one. */
  readonly command?: string;
  readonly targets?: readonly string[];
  /** The model's reason. */
  readonly justification?: string;
  readonly paths: readonly PermissionPath[];
  readonly danger?: DangerousCommand;
  /** The refusal of this session that the call answers, one line. */
  readonly earlierRefusal?: string;
  /** What "this once" covers, in a sentence. */
  readonly covers: string;
}

export interface PermissionPath {
  readonly path: string;
  readonly access: Access;
  readonly scope: "exact" | "subtree";
  readonly tier: Tier;
}

export type PermissionDecision = "allow" | "deny";

/** Answers a card. Rejecting, or never answering before the owner is gone, allows nothing. */
export interface Approver {
  decide(request: PermissionRequest, signal: AbortSignal): Promise<PermissionDecision>;
}
