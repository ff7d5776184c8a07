import type { ProgressSink, ToolResult } from "@fencepost/contract";
import type { Approver } from "@fencepost/core";
import type { ToolHost } from "./tool-host.ts";

/** What a host may want to know of one call besides what goes back to the model. */
export interface DispatchOptions {
  /** Cancels the call. */
  readonly signal?: AbortSignal;
  readonly onProgress?: ProgressSink;
  /** The whole result with its artifacts, which never go to a model. */
  readonly onResult?: (result: ToolResult) => void;
  /** Answers this call's card in place of the session's approver. */
  readonly approver?: Approver;
}

/** One call through the session. Rejects only where `onResult` throws. */
export async function dispatchCall(host: ToolHost, call: { readonly callId: string; readonly toolId: string; readonly input: unknown }, options: DispatchOptions = {}): Promise<ToolResult> {
  const { signal, onProgress, onResult, approver } = options;
  const cancel = (): void => void host.cancel(call.callId);
  signal?.addEventListener("abort", cancel, { once: true });
  try {
    const running = host.call({ ...call, ...(onProgress && { onProgress }), ...(approver && { approver }) });
    if (signal?.aborted === true) cancel();
    const result = await running;
    onResult?.(result);
    return result;
  } finally {
    signal?.removeEventListener("abort", cancel);
  }
}
