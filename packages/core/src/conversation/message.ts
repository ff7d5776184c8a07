import type { Artifact, ContentPart } from "@fencepost/contract";
import type { CallMetadata, ModelUsage } from "../model/model-port.ts";

/** One message of a session's conversation, as it is stored. */
export type Message = UserMessage | NoteMessage | AssistantMessage | ToolMessage;

export interface UserMessage {
  readonly role: "user";
  readonly text: string;
}

/** What the host tells the model between the user's messages. `state`: mode, workspace, bash. `mailbox`: from a sub-agent. `task`: a background command ended. */
export interface NoteMessage {
  readonly role: "note";
  readonly kind: "state" | "mailbox" | "task";
  readonly text: string;
  /** Of a mailbox message: the agent's turn that it tells of. */
  readonly source?: string;
}

export interface AssistantMessage {
  readonly role: "assistant";
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
  readonly usage?: ModelUsage;
}

export interface ToolCall {
  /** Ours: unique in the session, whatever the model calls it. */
  readonly callId: string;
  /** The model's: unique in its message. */
  readonly modelCallId: string;
  readonly toolId: string;
  /** The arguments as the model wrote them. */
  readonly input: string;
  readonly metadata?: CallMetadata;
}

/** What a model is told of how a call ended. */
export type ModelStatus = "success" | "error" | "denied" | "interrupted";

export interface ToolMessage {
  readonly role: "tool";
  readonly callId: string;
  readonly modelCallId: string;
  readonly toolId: string;
  readonly status: ModelStatus;
  readonly content: readonly ContentPart[];
  /** For people and programs: never sent to a model. */
  readonly artifacts: readonly Artifact[];
}
