import { Type } from "typebox";
import { noOutputText, succeeded } from "@fencepost/contract";
import { maxYieldMs, waitLimitMs } from "../commands/command-wait.ts";
import { sliceText, taskData, taskDisplay, taskEndLines, taskWasDenied } from "../commands/present-task.ts";
import { taskOf } from "../commands/session-tasks.ts";
import { isLive } from "../tasks/task.ts";
import { defineTool } from "../toolset/define-tool.ts";
import { taskIdProperty } from "./command-status.ts";
import { TaskOutputData } from "./result-data.ts";

const defaultMaxBytes = 16_384;

/** The most of one answer, in bytes: what a result holds without its footer. */
const maxMaxBytes = 31_488;

const Input = Type.Object(
  {
    taskId: taskIdProperty,
    offset: Type.Optional(Type.Integer({ minimum: 0, description: "Byte to start at, default 0; go on with the offset the last answer named" })),
    maxBytes: Type.Optional(Type.Integer({ minimum: 1, maximum: maxMaxBytes, description: `Default ${defaultMaxBytes}` })),
    waitMs: Type.Optional(Type.Integer({ minimum: 0, maximum: maxYieldMs, description: "How long to wait for output where there is none yet, in milliseconds; default 0" })),
  },
  { additionalProperties: false },
);

export const commandOutputTool = defineTool({
  id: "command_output",
  description: "Read the output of a background command from a byte offset on; optionally wait for more.",
  risk: "read_only",
  capabilities: ["session.read"],
  family: "commands",
  inputSchema: Input,
  resultSchema: TaskOutputData,
  examples: [{ taskId: "task-1" }, { taskId: "task-1", offset: 4096, waitMs: 5000 }],
  async execute(session, call, { taskId, offset = 0, maxBytes = defaultMaxBytes, waitMs = 0 }) {
    const task = taskOf(session, taskId);
    if ("refused" in task) return task.refused;
    await waitForOutput(task, offset, waitLimitMs(waitMs, call.deadline), call.signal);
    const { output } = task;
    const slice = output.read(offset, maxBytes);
    const atEnd = slice.nextOffset >= output.totalBytes;
    const text = slice.text === "" && slice.droppedBytes === 0 ? `${noOutputText}\n` : sliceText(slice, output.totalBytes);
    const state = isLive(task.state) ? [`[${taskId} is ${task.state}; next offset=${slice.nextOffset}]`] : taskEndLines(session, call, task);
    const ending = atEnd || isLive(task.state) ? state : [];
    const extras = { data: { ...taskData(task), offset: slice.offset, nextOffset: slice.nextOffset, droppedBytes: slice.droppedBytes }, sandboxDenied: taskWasDenied(task), display: taskDisplay(task) };
    return succeeded((text + ending.join("\n")).trimEnd(), extras);
  },
});

type Waiting = { readonly output: { waitFor(offset: number, signal: AbortSignal): Promise<void> } };

/** Until there is something at the offset, the task has ended, the time is over or the call was cancelled. */
export async function waitForOutput(task: Waiting, offset: number, limitMs: number, signal: AbortSignal): Promise<void> {
  if (limitMs === 0) return;
  const over = new AbortController();
  const timer = setTimeout(() => over.abort(), limitMs);
  await task.output.waitFor(offset, AbortSignal.any([over.signal, signal]));
  clearTimeout(timer);
}
