import type { FileChange, ProgressSink, ToolDefinition, ToolResult } from "@fencepost/contract";
import type { SandboxAvailability, SandboxBackend, SandboxMode, TierAdditions } from "@fencepost/sandbox";
import type { SearchBackend, ToolChoices, ToolRegistry } from "@fencepost/tools";
import type { Approver, PermissionRequest } from "../approval/approver.ts";
import type { ApprovalPreset } from "../approval/preset.ts";
import type { Message } from "../conversation/message.ts";
import type { EventStream } from "../events/event-stream.ts";
import type { ModelPort } from "../model/model-port.ts";
import type { SessionStore } from "../store/session-store.ts";
import type { TraceSink } from "../trace/trace-sink.ts";
import type { PromptOptions } from "../turn/turn-desk.ts";
import type { PromptResult } from "../turn/turn-outcome.ts";
import type { CallHooks } from "./call-hooks.ts";
import type { CallRecord } from "./call-record.ts";

/** One workspace, one owner of its state: observations, changes, mode, the running call. */
export interface Session {
  readonly id: string;
  /** Canonical. */
  readonly workspace: string;
  readonly mode: SandboxMode;
  readonly sandbox: SandboxAvailability & { readonly backend: string };
  readonly definitions: readonly ToolDefinition[];
  /** One call through the whole pipeline. Calls queue: one runs at a time. Never rejects. */
  call(request: CallRequest): Promise<ToolResult>;
  /**
   * What would become of a call now. Asks nobody, runs nothing, records nothing; the call itself is judged again. For
   * protocols in which the question has to be put before the call is made.
   */
  preview(request: Pick<CallRequest, "callId" | "toolId" | "input" | "approver">): Promise<CallPreview>;
  /** Cancels a queued or running call. False where there is none. Takes effect at once. */
  cancel(callId: string): boolean;
  /** Takes file changes back, by change id or call id. All or nothing. */
  undo(changeIds: readonly string[]): Promise<ChangeOutcome>;
  reapply(changeIds: readonly string[]): Promise<ChangeOutcome>;
  /** Takes effect at the next call. */
  setMode(mode: SandboxMode): void;
  /** Everything that was decided and done, oldest first, bounded. */
  readonly records: readonly CallRecord[];
  /** Cancels what runs, waits for it, lets go of everything. */
  close(): Promise<void>;
}

/** A session as `openSession` gives it: also driven by a model, where it was opened with one. */
export interface AgentSession extends Session {
  /**
   * One turn: the model is asked until it wants no more tools. One turn runs at a time: a second prompt answers `busy`,
   * the same request id answers with the same turn. Never rejects.
   */
  prompt(text: string, options?: PromptOptions): Promise<PromptResult>;
  /** Cancels the running turn and the call it waits for. False where none runs. Takes effect at once. */
  cancelTurn(): boolean;
  readonly events: EventStream;
  /** The conversation, oldest first: what is stored. */
  readonly messages: readonly Message[];
  /** The file changes that can be undone or reapplied, oldest first. */
  changes(): readonly FileChange[];
}

export interface CallRequest {
  /** Unique in the session. */
  readonly callId: string;
  readonly toolId: string;
  /** An object, or its JSON text. */
  readonly input: unknown;
  readonly onProgress?: ProgressSink;
  /** Answers the card of this call in place of the session's approver. */
  readonly approver?: Approver;
}

export type CallPreview =
  /** By rule, or because nobody can be asked. */
  | { readonly kind: "refused"; readonly result: ToolResult }
  | { readonly kind: "asks"; readonly card: PermissionRequest }
  | { readonly kind: "runs" };

export interface ChangeOutcome {
  /** Real paths that changed. */
  readonly changed: readonly string[];
  /** Real paths that stood in the way: then nothing was touched. */
  readonly conflicts: readonly string[];
  /** Set where the request itself could not be carried out: unknown id, a call running, a protected path, a failed rollback. */
  readonly error?: { readonly code: string; readonly message: string };
}

export interface OpenSessionOptions {
  readonly workspace: string;
  readonly mode?: SandboxMode;
  /** Default: made for this session. */
  readonly sessionId?: string;
  /** None: whatever would need a card is denied. */
  readonly approver?: Approver;
  readonly approvals?: ApprovalPreset;
  /** False: no card is ever shown, and the texts for the model say so. Default true. */
  readonly interactive?: boolean;
  /** Where the tools come from. Default: `builtinRegistry()`; a host registers tools of its own there. */
  readonly registry?: ToolRegistry;
  /** The ids of the session's tools. Default: the seven built-in ones. */
  readonly tools?: readonly string[];
  readonly toolOptions?: ToolChoices;
  /** Default: the one of this platform. */
  readonly backend?: SandboxBackend;
  /** What grep and glob search with. Default: this machine's disk. Whoever gives one closes it. */
  readonly search?: SearchBackend;
  readonly stateHome?: string;
  readonly additions?: TierAdditions;
  readonly network?: "host" | "none";
  /** None: the session is a plain tool host, and `prompt` answers `no_model`. */
  readonly model?: ModelPort;
  /** Where the session is kept. A session that is in it already is resumed. None: it is gone when it is closed. */
  readonly store?: SessionStore;
  /** The model's instructions. Default: a short text of ours. What changes is told in the conversation, not here. */
  readonly instructions?: string;
  /** How often one turn may ask the model. Default 20. */
  readonly maxModelCalls?: number;
  /** How long the model may say nothing, in milliseconds. Default 300,000. */
  readonly modelIdleTimeoutMs?: number;
  /** Whether calls of one response that only read may run at the same time. Default false. */
  readonly parallelReadOnly?: boolean;
  /** Lets the model start explorer sub-agents, by default on the session's own model. Default: none. */
  readonly agents?: { readonly model?: ModelPort };
  readonly hooks?: CallHooks;
  /** Gets two spans a call. May lose them. */
  readonly trace?: readonly TraceSink[];
  /** One line each, for the person at the host. */
  readonly onWarning?: (text: string) => void;
  /** Leaves what did not fit the results on the disk when the session closes. Default: where there is a store. */
  readonly keepSpill?: boolean;
}
