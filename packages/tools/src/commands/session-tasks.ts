import { failed, type ToolResult } from "@fencepost/contract";
import type { SessionContext } from "../context/session-context.ts";
import type { CommandTasks } from "../tasks/command-tasks.ts";
import type { Task } from "../tasks/task.ts";

/** The session's background commands, or why there are none. */
export function tasksOf(session: SessionContext): CommandTasks | { readonly refused: ToolResult } {
  return session.tasks ?? { refused: failed("execution_failed", "This session keeps no background commands. Run the command with bash instead.") };
}

/** One task by its id, or the answer that says which there are. */
export function taskOf(session: SessionContext, taskId: string): Task | { readonly refused: ToolResult } {
  const tasks = tasksOf(session);
  if ("refused" in tasks) return tasks;
  const known = tasks.list().map((task) => task.taskId);
  const shown = known.length === 0 ? "there are none" : `there are ${known.slice(0, 20).join(", ")}`;
  return tasks.find(taskId) ?? { refused: failed("execution_failed", `There is no task ${JSON.stringify(taskId.slice(0, 60))}; ${shown}. Use list_commands to see them.`) };
}
