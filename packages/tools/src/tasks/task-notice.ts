import { statusLine } from "../process/output/status-line.ts";
import type { Task } from "./task.ts";

/** The most of a task's output that its notice carries, in characters. */
const maxNoticeCharacters = 4000;

/** Told once, at the start of the turn after a task ended by itself. */
export interface TaskNotice {
  readonly taskId: string;
  readonly text: string;
}

export function noticeOf(task: Task): TaskNotice {
  const { outcome, end } = task;
  const status = end ? statusLine(end, outcome?.durationMs ?? 0) : "[outcome unknown: that it has ended could not be confirmed]";
  const head = `Background ${task.taskId} (${firstLine(task.command)}) has ended. ${status}`;
  const tail = lastCharacters(outcome?.captured.text ?? "", maxNoticeCharacters);
  return { taskId: task.taskId, text: [head, tail, ...(outcome?.exit.notes ?? [])].filter((line) => line !== "").join("\n") };
}

const maxShownCommandCharacters = 120;

function firstLine(command: string): string {
  const line = Array.from(command.trimStart().split("\n", 1)[0] ?? "");
  return line.length > maxShownCommandCharacters ? `${line.slice(0, maxShownCommandCharacters).join("")}…` : line.join("");
}

function lastCharacters(text: string, count: number): string {
  // A character is at most two units, so this many units hold enough of them.
  return Array.from(text.slice(-2 * count)).slice(-count).join("").trimEnd();
}
