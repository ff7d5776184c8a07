import type { ProgressSink, ToolDefinition, ToolResult } from "@fencepost/contract";
import type { SandboxAvailability, SandboxBackend, SandboxMode, TierAdditions } from "@fencepost/sandbox";
import type { ToolOptions } from "@fencepost/tools";
import type { Approver } from "../approval/approver.ts";
import type { ApprovalPreset } from "../approval/preset.ts";
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

export interface CallRequest {
  /** Unique in the session. */
  readonly callId: string;
  readonly toolId: string;
  /** An object, or its JSON text. */
  readonly input: unknown;
  readonly onProgress?: ProgressSink;
}

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
  /** Default: the seven built-in tools. */
  readonly tools?: readonly string[];
  readonly toolOptions?: Partial<ToolOptions>;
  /** Default: the one of this platform. */
  readonly backend?: SandboxBackend;
  readonly stateHome?: string;
  readonly additions?: TierAdditions;
  readonly network?: "host" | "none";
}

