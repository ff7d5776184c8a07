import { failed, type ProgressSink, type ToolResult } from "@fencepost/contract";
import type { SandboxPolicy } from "@fencepost/sandbox";
import type { FinalizedToolset, PreparedCall } from "@fencepost/tools";

/** How long a cancelled tool may take to end, in milliseconds. After it the session goes on without it. */
export const cancelGraceMs = 10_000;

const overrunText =
  "The call was cancelled and did not end, so it is not known what it did. Look at the files it was to change before going on.";

export interface Execution {
  readonly toolset: FinalizedToolset;
  readonly prepared: PreparedCall;
  readonly callId: string;
  readonly signal: AbortSignal;
  readonly policy: SandboxPolicy;
  readonly onProgress: ProgressSink | undefined;
  readonly cancelGraceMs: number;
}

/** Runs the tool under the stamped policy. One result, never a throw, and no progress after it. */
export async function executeCall({ toolset, prepared, callId, signal, policy, onProgress, cancelGraceMs: graceMs }: Execution): Promise<ToolResult> {
  let over = false;
  const progress: ProgressSink = (event) => {
    if (over || !onProgress) return;
    try {
      onProgress(event);
    } catch {
      // A broken consumer loses its events; the call does not notice.
    }
  };
  const overrun = overrunAfterCancel(signal, graceMs);
  try {
    return await Promise.race([toolset.execute(prepared, { callId, signal, progress, policy }), overrun.result]);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return failed("execution_failed", `${prepared.tool.id} failed: ${reason}. Try another way, or report the failure.`);
  } finally {
    over = true;
    overrun.stop();
  }
}

function overrunAfterCancel(signal: AbortSignal, graceMs: number): { readonly result: Promise<ToolResult>; stop(): void } {
  let timer: NodeJS.Timeout | undefined;
  let onAbort!: () => void;
  const result = new Promise<ToolResult>((resolve) => {
    onAbort = () => {
      timer = setTimeout(() => resolve(failed("outcome_unknown", overrunText)), graceMs);
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
  });
  return {
    result,
    stop() {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
    },
  };
}
