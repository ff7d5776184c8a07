import type { ToolDefinition, ToolResult } from "@fencepost/contract";
import type { Conversation } from "../conversation/conversation.ts";
import type { NoteMessage, ToolCall } from "../conversation/message.ts";
import type { EventSource } from "../events/event-stream.ts";
import type { ModelPort } from "../model/model-port.ts";
import type { CallPlace } from "../session/call-desk.ts";
import type { SessionStore } from "../store/session-store.ts";

/** What a turn needs of its session. */
export interface TurnHost {
  readonly sessionId: string;
  readonly model: ModelPort;
  readonly store: SessionStore;
  readonly conversation: Conversation;
  readonly events: EventSource;
  readonly definitions: readonly ToolDefinition[];
  readonly system: string;
  readonly maxModelCalls: number;
  readonly idleTimeoutMs: number;
  /** What the model has to be told before its next answer; each is told once. */
  readonly dueNotes: () => readonly NoteMessage[];
  /** What is told at the start of a turn besides: what ended since the last one. */
  readonly startNotes: () => readonly NoteMessage[];
  /** One call through the session's pipeline. Never rejects. */
  readonly runCall: (call: ToolCall, place: CallPlace) => Promise<TurnCallOutcome>;
  /** A call that is not run: its decision and its record, like any other's. */
  readonly refuseCall: (call: ToolCall, result: ToolResult, place: CallPlace) => void;
  /** Whether these calls may run at the same time: off unless the host wants it. */
  readonly mayRunTogether: (calls: readonly ToolCall[]) => Promise<boolean>;
  /** Whether a call can change anything, as far as is known without running it. */
  readonly canChange: (call: ToolCall) => Promise<boolean>;
}

export interface TurnCallOutcome {
  readonly result: ToolResult;
  /** The user said no. */
  readonly deniedByUser: boolean;
}
