/** Why a call did not succeed. Hosts branch on the code; the message is for the model. */
export const toolErrorCodes = [
  "tool_not_found",
  "invalid_arguments",
  "permission_denied",
  "cancelled",
  "timeout",
  "execution_failed",
  "outcome_unknown",
  "sandbox_unavailable",
  "inactive_tool",
  "duplicate_call",
  "truncated_call",
  "invalid_json",
  "hook_denied",
  "interrupted",
] as const;

export type ToolErrorCode = (typeof toolErrorCodes)[number];

export interface ToolError {
  readonly code: ToolErrorCode;
  /** What was wrong, what was expected and what to do next. */
  readonly message: string;
  /** True only where the same intent, called again correctly, can work: bad JSON, bad arguments, inactive tool, truncated call. */
  readonly retryable: boolean;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly recoveryHint?: string;
}

const retryableCodes: ReadonlySet<ToolErrorCode> = new Set(["invalid_json", "invalid_arguments", "inactive_tool", "truncated_call"]);

/** An error whose `retryable` follows from its code, so that no two places can disagree. */
export function toolError(code: ToolErrorCode, message: string, extra: Pick<ToolError, "details" | "recoveryHint"> = {}): ToolError {
  return { code, message, retryable: retryableCodes.has(code), ...extra };
}
