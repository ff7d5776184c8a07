import { Type } from "typebox";
import { succeeded } from "@fencepost/contract";
import { taskData, taskDisplay, taskEndLines, taskLine } from "../commands/present-task.ts";
import { taskOf } from "../commands/session-tasks.ts";
import { cancelGraceMs } from "../tasks/launch-task.ts";
import { isLive } from "../tasks/task.ts";
import { defineTool } from "../toolset/define-tool.ts";
import { taskIdProperty } from "./command-status.ts";
import { TaskData } from "./result-data.ts";

/** How long the answer waits for the end beyond the grace, in milliseconds. */
const extraWaitMs = 500;

const Input = Type.Object({ taskId: taskIdProperty }, { additionalProperties: false });

export const cancelCommandTool = defineTool({
  id: "cancel_command",
  description: "End a background command: SIGTERM, and SIGKILL one second later if it is still there. A second call kills it at once.",
  risk: "process_execution",
  capabilities: ["process.execute"],
  family: "commands",
  inputSchema: Input,
  resultSchema: TaskData,
  examples: [{ taskId: "task-1" }],
  async execute(session, call, { taskId }) {
    const task = taskOf(session, taskId);
    if ("refused" in task) return task.refused;
    const wasLive = isLive(task.state);
    task.cancel();
    if (wasLive) await endOrTimeout(task.ended, call.signal);
    const lines = wasLive ? [taskLine(task, Date.now()), ...taskEndLines(session, call, task)] : [`${taskId} had already ended.`, ...taskEndLines(session, call, task)];
    return succeeded(lines.join("\n"), { data: taskData(task), display: taskDisplay(task) });
  },
});

async function endOrTimeout(ended: Promise<void>, signal: AbortSignal): Promise<void> {
  const over = AbortSignal.any([signal, AbortSignal.timeout(cancelGraceMs + extraWaitMs)]);
  if (over.aborted) return;
  await Promise.race([ended, new Promise<void>((resolve) => over.addEventListener("abort", () => resolve(), { once: true }))]);
}
