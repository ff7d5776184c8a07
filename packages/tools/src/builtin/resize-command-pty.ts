import { Type } from "typebox";
import { failed, succeeded } from "@fencepost/contract";
import { taskData, taskDisplay } from "../commands/present-task.ts";
import { taskOf } from "../commands/session-tasks.ts";
import { isLive } from "../tasks/task.ts";
import { defineTool } from "../toolset/define-tool.ts";
import { taskIdProperty } from "./command-status.ts";
import { maxTerminalSide } from "./start-command.ts";
import { TaskSizeData } from "./result-data.ts";

const Input = Type.Object(
  {
    taskId: taskIdProperty,
    token: Type.String({ description: "The terminal token, as given by start_command" }),
    cols: Type.Integer({ minimum: 1, maximum: maxTerminalSide }),
    rows: Type.Integer({ minimum: 1, maximum: maxTerminalSide }),
  },
  { additionalProperties: false },
);

export const resizeCommandPtyTool = defineTool({
  id: "resize_command_pty",
  description: "Change the size of a background command's terminal.",
  risk: "process_execution",
  capabilities: ["process.execute"],
  family: "commands",
  inputSchema: Input,
  resultSchema: TaskSizeData,
  examples: [{ taskId: "task-1", token: "0123456789abcdef", cols: 120, rows: 40 }],
  async execute(session, _call, { taskId, token, cols, rows }) {
    const task = taskOf(session, taskId);
    if ("refused" in task) return task.refused;
    if (!task.tty) return failed("execution_failed", `${taskId} has no terminal. Start the command with tty=true to give it one.`);
    if (!isLive(task.state)) return failed("execution_failed", `${taskId} is ${task.state}, so its terminal is gone. Start the command again.`);
    if (token !== task.token) return failed("execution_failed", `The token is not the one of the terminal of ${taskId}. Use the token that start_command gave.`);
    if (!task.resize(cols, rows)) return failed("execution_failed", `The terminal of ${taskId} could not be resized. Use command_status to see its state.`);
    return succeeded(`${taskId} has a terminal of ${cols} columns and ${rows} rows.`, { data: { ...taskData(task), cols, rows }, display: taskDisplay(task) });
  },
});
