import { noOutputText, toolError, type Display, type ToolResult } from "@fencepost/contract";
import { bashDenialText } from "@fencepost/sandbox";
import type { SessionContext } from "../context/session-context.ts";
import type { CallContext } from "../context/call-context.ts";
import type { ProcessExit } from "../process/process-backend.ts";
import { statusLine, type CommandEnd } from "../process/output/status-line.ts";
import type { CommandRun } from "./run-command.ts";

/** What hosts get of a command besides its text. */
export interface CommandData {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly ended: CommandEnd["kind"] | "unknown";
  readonly durationMs: number;
  readonly totalBytes: number;
  readonly omittedBytes: number;
  readonly spillPath: string | null;
}

export interface PresentedRun {
  readonly text: string;
  /** The line that says how it ended. */
  readonly status: string;
  readonly denied: boolean;
  readonly data: CommandData;
}

type StartedRun = Exclude<CommandRun, { readonly kind: "not_run" }>;

const unknownText =
  "[outcome unknown: the command was killed, but that it has ended could not be confirmed. Parts of it may still run; look at what it changed before you run it again]";

/** A run as a model reads it: output, how it ended, what was refused, what was moved away. */
export function presentRun(session: SessionContext, call: CallContext, run: StartedRun): PresentedRun {
  const status = run.kind === "unknown" ? unknownText : statusLine(run.end, run.durationMs);
  const denied = wasDenied(run);
  const { output, exit } = run;
  const lines = [status, ...(denied ? [bashDenialText(call.policy.mode, session.escalation)] : []), ...(exit?.notes ?? [])];
  return {
    text: withLineBreak(output.text === "" ? noOutputText : output.text) + lines.join("\n"),
    status,
    denied,
    data: {
      exitCode: exit?.exitCode ?? null,
      signal: exit?.signal ?? null,
      ended: run.kind === "unknown" ? "unknown" : run.end.kind,
      durationMs: Math.round(run.durationMs),
      totalBytes: output.totalBytes,
      omittedBytes: output.omittedBytes,
      spillPath: output.spill?.path ?? null,
    },
  };
}

/** The result of a call that ran one command. */
export function commandResult(session: SessionContext, call: CallContext, run: StartedRun, title: string): ToolResult<CommandData> {
  const { text, status, denied, data } = presentRun(session, call, run);
  const base = { content: [{ type: "text", text }], artifacts: [], sandboxDenied: denied, data, display: display(title, data) } as const;
  if (run.kind === "unknown") return { ...base, status: "outcome_unknown", error: toolError("outcome_unknown", status) };
  switch (run.end.kind) {
    case "timed_out":
      return { ...base, status: "failed", error: toolError("timeout", status, { recoveryHint: "Give it a longer timeoutMs, or run it in the background." }) };
    case "cancelled":
      return { ...base, status: "cancelled", error: toolError("cancelled", status) };
    default:
      return { ...base, status: "succeeded" };
  }
}

function wasDenied(run: StartedRun): boolean {
  const { exit } = run;
  if (exit === undefined) return false;
  return exit.violated || (hasOwnEnd(run, exit) && exit.classify(run.output.text) === "denied");
}

/** A command that we killed says nothing of a refusal by how it ended. */
function hasOwnEnd(run: StartedRun, exit: ProcessExit): boolean {
  return run.kind === "ended" && (run.end.kind === "exited" || run.end.kind === "killed") && exit.ran;
}

function display(title: string, data: CommandData): Display {
  const exit = data.exitCode === null ? [] : [{ label: "exit code", value: String(data.exitCode) }];
  return { kind: "command", title: title.slice(0, 200), fields: [...exit, { label: "duration", value: `${data.durationMs} ms` }] };
}

function withLineBreak(text: string): string {
  return text.endsWith("\n") ? text : `${text}\n`;
}
