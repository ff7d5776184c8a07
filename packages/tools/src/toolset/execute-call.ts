import { failed, type ToolResult } from "@fencepost/contract";
import type { CallContext } from "../context/call-context.ts";
import type { SessionContext } from "../context/session-context.ts";
import { errorText } from "./error-text.ts";
import type { PreparedCall } from "./finalized-toolset.ts";
import { fitResult } from "./fit-result.ts";
import { normaliseResult } from "./normalise-result.ts";
import { nothingChanged, onlyReads } from "./only-reads.ts";
import type { CallableTool } from "./prepare-call.ts";
import { redactResult } from "./redact-result.ts";
import { safeProgress } from "./safe-progress.ts";
import { sessionRedactor } from "./session-redactor.ts";
import { trackSpill } from "./track-spill.ts";

/**
 * Runs a prepared call under its stamped policy. Whatever the tool does, and whatever it returns, there is exactly one
 * result: valid, without secrets, within the limits. What a failed execution had begun to spill is removed.
 */
export async function executeCall(tools: ReadonlyMap<string, CallableTool>, session: SessionContext, prepared: PreparedCall, call: CallContext): Promise<ToolResult> {
  const { tool } = prepared;
  if (tools.get(tool.id)?.tool !== tool) return failed("tool_not_found", `${tool.id} was prepared by another session, so nothing was done. Prepare the call here.`);
  const early = endedBeforeStart(call);
  if (early) return early;

  const progress = safeProgress(call.progress);
  const spill = trackSpill(session.spill);
  let result: ToolResult;
  try {
    const value: unknown = await tool.execute(spill ? { ...session, spill } : session, { ...call, progress: progress.sink }, prepared.input);
    result = normaliseResult(value, { toolId: tool.id, onlyReads: onlyReads(prepared) });
  } catch (error) {
    await spill?.discardUnfinished();
    result = call.signal.aborted
      ? failed("cancelled", "The call was cancelled.")
      : failed("execution_failed", `${tool.id} failed unexpectedly: ${errorText(error)}. ${whatToDo(prepared)}`);
  }
  progress.close();
  try {
    return await fitResult(redactResult(result, sessionRedactor(session)), session.spill, call.callId);
  } catch (error) {
    return failed("execution_failed", `The result of ${tool.id} could not be shown: ${errorText(error)}. ${whatToDo(prepared)}`);
  }
}

/** After a failure that nobody foresaw. */
function whatToDo(prepared: PreparedCall): string {
  return onlyReads(prepared) ? nothingChanged : "What it had already done stays; look before you retry.";
}

function endedBeforeStart({ signal, deadline }: CallContext): ToolResult | undefined {
  if (signal.aborted) return failed("cancelled", "The call was cancelled before it started, so nothing was done.");
  if (deadline !== undefined && Date.now() >= deadline) {
    return failed("timeout", "The time for this call was over before it started, so nothing was done. Retry it with more time.");
  }
  return undefined;
}
