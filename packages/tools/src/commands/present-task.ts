import type { Display } from "@fencepost/contract";
import { bashDenialText } from "@fencepost/sandbox";
import type { SessionContext } from "../context/session-context.ts";
import type { CallContext } from "../context/call-context.ts";
import { statusLine } from "../process/output/status-line.ts";
import type { OutputSlice } from "../tasks/task-output.ts";
import { isLive, type Task, type TaskState } from "../tasks/task.ts";

/** What hosts get of a task besides its text. */
export interface TaskData {
  readonly taskId: string;
  readonly state: TaskState;
  readonly command: string;
  readonly workdir: string;
  readonly tty: boolean;
  readonly acceptsInput: boolean;
  readonly token: string | null;
  readonly startedAt: number;
  readonly endedAt: number | null;
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly totalBytes: number;
  readonly logPath: string | null;
}

export function taskData(task: Task): TaskData {
  const { end, outcome } = task;
  return {
    taskId: task.taskId,
    state: task.state,
    command: task.command,
    workdir: task.workingDirectory,
    tty: task.tty,
    acceptsInput: task.acceptsInput && isLive(task.state),
    token: task.tty && isLive(task.state) ? task.token : null,
    startedAt: task.startedAt,
    endedAt: task.endedAt,
    exitCode: end?.kind === "exited" ? end.exitCode : null,
    signal: end?.kind === "killed" ? end.signal : null,
    totalBytes: task.output.totalBytes,
    logPath: outcome?.captured.spill?.path ?? null,
  };
}

/** A task for people: its command and how it stands. */
export function taskDisplay({ taskId, command, state, end }: Task): Display {
  const exit = end?.kind === "exited" ? [{ label: "exit code", value: String(end.exitCode) }] : [];
  return { kind: "command", title: command, fields: [{ label: "task", value: taskId }, { label: "state", value: state }, ...exit] };
}

/** One line: `task-3 running for 12 s: npm run dev`. */
export function taskLine(task: Task, now: number): string {
  const seconds = Math.max(0, Math.round(((task.endedAt ?? now) - task.startedAt) / 1000));
  return `${task.taskId} ${task.state}${endWords(task)}, ${seconds} s: ${oneLine(task.command)}`;
}

/** How a task ended, what was refused and what was moved away: nothing while it lives. */
export function taskEndLines(session: SessionContext, call: CallContext, task: Task): readonly string[] {
  const { outcome, end } = task;
  if (task.state === "interrupted") return ["[interrupted: the session was restarted while it ran; start it again if it is still needed]"];
  if (outcome === undefined) return [];
  const { exit, captured, durationMs } = outcome;
  const status = end ? statusLine(end, durationMs) : "[outcome unknown: that it has ended could not be confirmed]";
  const denied = taskWasDenied(task) ? [bashDenialText(call.policy.mode, session.escalation)] : [];
  const saved = captured.spill ? [`[full output saved at ${captured.spill.path}]`] : [];
  return [status, ...saved, ...denied, ...exit.notes];
}

/** Something was refused to it, as far as it can be told from how it ended. */
export function taskWasDenied({ outcome }: Task): boolean {
  return outcome !== undefined && (outcome.exit.violated || (outcome.exit.ran && outcome.exit.classify(outcome.captured.text) === "denied"));
}

/** A part of the output, with what came before it and is gone. */
export function sliceText(slice: OutputSlice, whole: number): string {
  const dropped = slice.droppedBytes > 0 ? `[${slice.droppedBytes} older bytes are no longer kept]\n` : "";
  const rest = slice.nextOffset < whole ? `[${whole - slice.nextOffset} more bytes; continue with offset=${slice.nextOffset}]\n` : "";
  const text = slice.text === "" || slice.text.endsWith("\n") ? slice.text : `${slice.text}\n`;
  return dropped + text + rest;
}

function endWords({ end }: Task): string {
  if (end?.kind === "exited") return ` (exit ${end.exitCode})`;
  return end?.kind === "killed" ? ` (killed by ${end.signal})` : "";
}

const maxShownCommandCharacters = 200;

function oneLine(command: string): string {
  const characters = Array.from(command.replaceAll(/\s*\n\s*/g, " ; "));
  return characters.length > maxShownCommandCharacters ? `${characters.slice(0, maxShownCommandCharacters).join("")}…` : characters.join("");
}
