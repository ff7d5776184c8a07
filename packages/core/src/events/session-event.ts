import type { ProgressEvent, ToolResult } from "@fencepost/contract";
import type { PermissionRequest } from "../approval/approver.ts";
import type { Plan } from "../control/plan.ts";
import type { TurnOutcome } from "../turn/turn-outcome.ts";

/** What a turn is doing. */
export type TurnPhase = "model" | "tools";

/** What happens in a session, in order. */
export type SessionEvent =
  | { readonly type: "turn_started"; readonly turnId: string; readonly text: string }
  | { readonly type: "phase_changed"; readonly turnId: string; readonly phase: TurnPhase }
  /** Part of a draft: what was streamed before a turn failed is not in the conversation. */
  | { readonly type: "text_delta"; readonly turnId: string; readonly text: string }
  | { readonly type: "tool_call_started"; readonly callId: string; readonly toolId: string; readonly input: unknown; readonly turnId?: string }
  | { readonly type: "tool_call_progress"; readonly callId: string; readonly progress: ProgressEvent }
  /** The result is stored by now, unless the store has failed: then the turn ends `persistence_error`. */
  | { readonly type: "tool_call_finished"; readonly callId: string; readonly toolId: string; readonly result: ToolResult; readonly turnId?: string }
  | { readonly type: "permission_requested"; readonly request: PermissionRequest }
  | { readonly type: "permission_resolved"; readonly requestId: string; readonly callId: string; readonly answer: "allow" | "deny" | "cancelled" | "gone" | "failed" }
  | { readonly type: "plan_updated"; readonly plan: Plan }
  | { readonly type: "turn_finished"; readonly turnId: string; readonly outcome: TurnOutcome };

/** An event with its place in the session's order, counted from 1 without gaps. */
export type SequencedEvent = SessionEvent & { readonly sequence: number };
