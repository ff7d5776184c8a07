import type { SandboxMode } from "@fencepost/sandbox";
import type { CallRecord } from "../session/call-record.ts";

/** Where a session's mode came from. */
export type ModeOrigin = "default" | "option" | "switched" | "stored" | "parent";

/**
 * What the trace keeps of one tool call. Saved when it starts and again when it has ended. It may be lost: nothing
 * depends on it.
 */
export interface CallSpan extends Omit<CallRecord, "status" | "decision" | "source"> {
  readonly sessionId: string;
  readonly turnId?: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly status: CallRecord["status"] | "running";
  /** Undefined until it was decided. */
  readonly decision?: CallRecord["decision"];
  readonly source?: CallRecord["source"];
  /** Of the policy that was stamped on the call. */
  readonly sandboxMode: SandboxMode;
  readonly sessionModeOrigin: ModeOrigin;
  /** Of the arguments' JSON, in bytes. */
  readonly inputBytes: number;
  /** Of the text the model reads, in bytes; 0 until it has ended. */
  readonly resultBytes: number;
}
