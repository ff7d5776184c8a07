import type { SandboxMode } from "@fencepost/sandbox";
import type { ToolStatus } from "@fencepost/contract";

/** Who decided about a call. */
export type DecisionSource = "sandbox" | "user" | "builtin" | "non_interactive" | "sandbox_unavailable" | "control_tool" | "system";

/** What is kept of one call: exactly one decision each. */
export interface CallRecord {
  readonly callId: string;
  readonly toolId: string;
  readonly mode: SandboxMode;
  readonly decision: "allowed" | "denied";
  readonly source: DecisionSource;
  /** Real paths the call asked for beyond the policy, granted or not. */
  readonly escalationPaths: readonly string[];
  readonly justification?: string;
  readonly dangerKey?: string;
  readonly permissionWaitMs: number;
  readonly status: ToolStatus;
  readonly sandboxDenied: boolean;
  readonly durationMs: number;
}
