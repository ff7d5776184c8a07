import type { ProgressSink } from "@fencepost/contract";
import type { SandboxPolicy } from "@fencepost/sandbox";

/** What one call brings. The policy is stamped by the host: bash and the file tools of one call see the same value. */
export interface CallContext {
  readonly callId: string;
  readonly signal: AbortSignal;
  /** Milliseconds since the epoch after which the call must have ended. */
  readonly deadline?: number;
  readonly progress: ProgressSink;
  readonly policy: SandboxPolicy;
}
