import type { ToolResult, ToolStatus } from "@fencepost/contract";

export interface StatusOptions {
  /** Whether a command that exited non-zero counts as a failed call. Default false: its text tells the model. */
  readonly nonZeroExitFails?: boolean;
}

/** Whether a call failed, in systems that know only yes and no (`isError`, `is_error`). */
export function failsIn(result: Pick<ToolResult, "status" | "data">, { nonZeroExitFails = false }: StatusOptions): boolean {
  return result.status !== "succeeded" || (nonZeroExitFails && exitedNonZero(result.data));
}

/** What other systems call the end of a call. */
export const foreignStatuses = {
  /** Agent Client Protocol: `ToolCallStatus`. */
  acp: { succeeded: "completed", failed: "failed", denied: "failed", cancelled: "failed", outcome_unknown: "failed" },
  /** Agent2Agent: `TaskState`. */
  a2a: { succeeded: "completed", failed: "failed", denied: "rejected", cancelled: "canceled", outcome_unknown: "unknown" },
  /** OpenAI Responses: the status of an item. */
  openai: { succeeded: "completed", failed: "completed", denied: "completed", cancelled: "incomplete", outcome_unknown: "incomplete" },
  /** OpenTelemetry: the code of a span. */
  openTelemetry: { succeeded: "OK", failed: "ERROR", denied: "ERROR", cancelled: "ERROR", outcome_unknown: "ERROR" },
} as const satisfies Record<string, Readonly<Record<ToolStatus, string>>>;

/** A result's status in the words of another system: one of `foreignStatuses`, or your own. */
export function foreignStatus<Word extends string>(result: Pick<ToolResult, "status" | "data">, words: Readonly<Record<ToolStatus, Word>>, options: StatusOptions = {}): Word {
  return words[result.status === "succeeded" && failsIn(result, options) ? "failed" : result.status];
}

/** Commands put how they ended into `data`: an exit code, or the signal that ended them. */
function exitedNonZero(data: unknown): boolean {
  if (typeof data !== "object" || data === null) return false;
  const exitCode = "exitCode" in data ? data.exitCode : null;
  const signal = "signal" in data ? data.signal : null;
  return (typeof exitCode === "number" && exitCode !== 0) || typeof signal === "string";
}
