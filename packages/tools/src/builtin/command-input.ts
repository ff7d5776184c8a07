import { Type } from "typebox";
import { failed, invalidInputPrefix, noOutputText, succeeded, type ToolResult } from "@fencepost/contract";
import { blockedResult } from "../commands/blocked-result.ts";
import { maxYieldMs, waitLimitMs } from "../commands/command-wait.ts";
import { sliceText, taskData, taskDisplay, taskEndLines } from "../commands/present-task.ts";
import { taskOf } from "../commands/session-tasks.ts";
import { isLive, type Task } from "../tasks/task.ts";
import { defineTool } from "../toolset/define-tool.ts";
import { waitForOutput } from "./command-output.ts";
import { taskIdProperty } from "./command-status.ts";
import { TaskInputData } from "./result-data.ts";

/** The most that is written at once, in bytes. */
const maxInputBytes = 65_536;

const defaultWaitMs = 250;

/** A program that reads nothing must not hold the call longer than this. */
const maxWriteWaitMs = 5000;

/** The most of what the command answers that is shown, in bytes. */
const maxAnswerBytes = 16_384;

const interrupt = "\u0003";

const Input = Type.Object(
  {
    taskId: taskIdProperty,
    input: Type.String({ minLength: 1, maxLength: maxInputBytes, description: "Written as it is: end a line with \\n. A lone \\u0003 interrupts the command" }),
    token: Type.Optional(Type.String({ description: "The terminal token, as given by start_command" })),
    waitMs: Type.Optional(Type.Integer({ minimum: 0, maximum: maxYieldMs, description: `How long to wait for an answer, in milliseconds; default ${defaultWaitMs}` })),
  },
  { additionalProperties: false },
);

export const commandInputTool = defineTool({
  id: "command_input",
  description: "Write to the standard input of a background command that accepts input, and show what it answers.",
  risk: "process_execution",
  capabilities: ["process.execute", "filesystem.read", "filesystem.write"],
  family: "commands",
  inputSchema: Input,
  resultSchema: TaskInputData,
  examples: [{ taskId: "task-1", input: "print(1)\n" }, { taskId: "task-1", input: "\u0003" }],
  // What is typed into a shell runs there: it is looked at as a command is.
  inspect: ({ input }) => ({ kind: "runs", commands: input === interrupt ? [] : [input] }),
  async execute(session, call, { taskId, input, token, waitMs = defaultWaitMs }) {
    const refusal = inputFault(input) ?? blockedResult(session, input);
    if (refusal) return refusal;
    const task = taskOf(session, taskId);
    if ("refused" in task) return task.refused;
    const reason = whyNot(task, input, token);
    if (reason !== undefined) return notAccepted(task, reason);
    const before = task.output.totalBytes;
    const written = await send(task, input);
    if (!written) return notAccepted(task, "it does not read its input, or has closed it");
    await waitForOutput(task, before, waitLimitMs(waitMs, call.deadline), call.signal);
    const slice = task.output.read(before, maxAnswerBytes);
    const answer = slice.text === "" ? `${noOutputText}\n` : sliceText(slice, task.output.totalBytes);
    const ending = isLive(task.state) ? [`[${taskId} is ${task.state}; next offset=${slice.nextOffset}]`] : taskEndLines(session, call, task);
    return succeeded(answer + ending.join("\n"), { data: { ...taskData(task), acceptedInput: true, nextOffset: slice.nextOffset }, display: taskDisplay(task) });
  },
});

function inputFault(input: string): ToolResult | undefined {
  if (Buffer.byteLength(input) > maxInputBytes) return invalid(`\`input\` has ${Buffer.byteLength(input)} bytes; expected at most ${maxInputBytes}. Send it in parts`);
  if (input !== interrupt && input.includes(interrupt)) return invalid("`input` mixes U+0003 with other text; expected either text, or a lone U+0003 to interrupt the command");
  return undefined;
}

function whyNot(task: Task, input: string, token: string | undefined): string | undefined {
  if (!isLive(task.state)) return `it is ${task.state}`;
  if (token !== undefined && token !== task.token) return "the token is not the one of its terminal";
  if (input === interrupt) return undefined;
  return task.acceptsInput ? undefined : "it was started without acceptsInput";
}

async function send(task: Task, input: string): Promise<boolean> {
  if (input === interrupt && !task.tty) {
    task.interrupt();
    return true;
  }
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => (timer = setTimeout(() => resolve(false), maxWriteWaitMs)));
  const written = await Promise.race([task.write(Buffer.from(input)), late]);
  clearTimeout(timer);
  return written;
}

function notAccepted(task: Task, reason: string): ToolResult {
  const text = `The input was not accepted: ${reason}. Use command_status to see the state of ${task.taskId}, or start the command again with acceptsInput.`;
  return succeeded(text, { data: { ...taskData(task), acceptedInput: false, reason }, display: taskDisplay(task) });
}

function invalid(fault: string): ToolResult {
  return failed("invalid_arguments", invalidInputPrefix + fault);
}
