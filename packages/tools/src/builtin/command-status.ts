import { Type } from "typebox";
import { succeeded } from "@fencepost/contract";
import { taskData, taskDisplay, taskEndLines, taskLine, taskWasDenied } from "../commands/present-task.ts";
import { taskOf } from "../commands/session-tasks.ts";
import { defineTool } from "../toolset/define-tool.ts";
import { TaskData } from "./result-data.ts";

export const taskIdProperty = Type.String({ minLength: 1, maxLength: 100, description: "As given by start_command" });

const Input = Type.Object({ taskId: taskIdProperty }, { additionalProperties: false });

export const commandStatusTool = defineTool({
  id: "command_status",
  description: "The state of a background command, and how it ended.",
  risk: "read_only",
  capabilities: ["session.read"],
  family: "commands",
  inputSchema: Input,
  resultSchema: TaskData,
  examples: [{ taskId: "task-1" }],
  async execute(session, call, { taskId }) {
    const task = taskOf(session, taskId);
    if ("refused" in task) return task.refused;
    const lines = [taskLine(task, Date.now()), `${task.output.totalBytes} bytes of output so far`, ...taskEndLines(session, call, task)];
    return succeeded(lines.join("\n"), { data: taskData(task), sandboxDenied: taskWasDenied(task), display: taskDisplay(task) });
  },
});
