import type { Classification } from "../backend/backend.ts";

/** Usage error, unreadable profile, and a sandbox that could not be entered. */
const runnerFailureCodes: ReadonlySet<number> = new Set([64, 65, 71]);

const runnerWords = /^(?:sandbox-exec: |Usage: sandbox-exec )/i;

/**
 * Whether a command's end looks like a refusal by the sandbox or a failure of its runner. An inference from the exit
 * code and the output as truncated for the model: a command can print anything, and can swallow what it was refused.
 */
export function classifySeatbelt(exitCode: number | null, output: string): Classification {
  if (exitCode === null || exitCode === 0) return "normal";
  if (runnerFailureCodes.has(exitCode) && runnerWords.test(output.trimStart())) return "runner_failed";
  return /operation not permitted/i.test(output) ? "denied" : "normal";
}
