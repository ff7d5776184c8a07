import { failed, type ToolErrorCode, type ToolResult } from "@fencepost/contract";
import { FileFault, type FaultKind } from "./file-fault.ts";
import { LockUnavailable } from "./write-locks.ts";
import type { PathRefusal } from "../paths/path-refusal.ts";

/** Runs a file tool's work: a fault that it rejects with becomes the call's result. */
export async function fileCall(work: () => Promise<ToolResult>): Promise<ToolResult> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof FileFault) return failed(codeOf(error.kind), error.message, { details: { kind: error.kind } });
    if (error instanceof LockUnavailable) return failed(error.reason === "cancelled" ? "cancelled" : "execution_failed", error.message, { details: { kind: "locked" } });
    throw error;
  }
}

function codeOf(kind: FaultKind): ToolErrorCode {
  if (kind === "cancelled") return "cancelled";
  // What is on the disk is neither the old nor the new state.
  return kind === "rollback_failed" ? "outcome_unknown" : "execution_failed";
}

export function isRefusal(value: object): value is PathRefusal {
  return "refused" in value;
}
