import type { PermissionRequest } from "../approval/approver.ts";
import type { Plan } from "../control/plan.ts";
import type { TurnOutcome } from "../turn/turn-outcome.ts";
import type { SequencedEvent, TurnPhase } from "./session-event.ts";

/** Where a session stands after an event: what someone who joins late needs besides the stored conversation. */
export interface SessionSnapshot {
  /** Of the last event that is in it; 0 before the first. */
  readonly sequence: number;
  readonly turn: { readonly turnId: string; readonly phase: TurnPhase; readonly draft: string } | null;
  readonly calls: readonly { readonly callId: string; readonly toolId: string; readonly input: unknown }[];
  readonly permissions: readonly PermissionRequest[];
  readonly plan: Plan | null;
  readonly lastOutcome: TurnOutcome | null;
}

export const emptySnapshot: SessionSnapshot = { sequence: 0, turn: null, calls: [], permissions: [], plan: null, lastOutcome: null };

/** The snapshot after one more event. Progress changes nothing but the place in the order. */
export function advance(snapshot: SessionSnapshot, event: SequencedEvent): SessionSnapshot {
  const next = { ...snapshot, sequence: event.sequence };
  switch (event.type) {
    case "turn_started":
      return { ...next, turn: { turnId: event.turnId, phase: "model", draft: "" } };
    case "phase_changed":
      return { ...next, turn: { turnId: event.turnId, phase: event.phase, draft: "" } };
    case "text_delta":
      return { ...next, turn: snapshot.turn && { ...snapshot.turn, draft: snapshot.turn.draft + event.text } };
    case "tool_call_started":
      return { ...next, calls: [...snapshot.calls, { callId: event.callId, toolId: event.toolId, input: event.input }] };
    case "tool_call_finished":
      return { ...next, calls: snapshot.calls.filter((call) => call.callId !== event.callId) };
    case "tool_call_progress":
      return next;
    case "permission_requested":
      return { ...next, permissions: [...snapshot.permissions, event.request] };
    case "permission_resolved":
      return { ...next, permissions: snapshot.permissions.filter((request) => request.requestId !== event.requestId) };
    case "plan_updated":
      return { ...next, plan: event.plan };
    default:
      return { ...next, turn: null, lastOutcome: event.outcome };
  }
}
