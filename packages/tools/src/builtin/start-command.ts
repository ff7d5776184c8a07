import { Type } from "typebox";
import { failed, invalidInputPrefix, noOutputText, succeeded, type ToolResult } from "@fencepost/contract";
import { blockedResult } from "../commands/blocked-result.ts";
import { commandEnvironment } from "../commands/command-environment.ts";
import { commandFault, normaliseCommand } from "../commands/command-text.ts";
import { maxYieldMs, minYieldMs, waitLimitMs } from "../commands/command-wait.ts";
import { commandResult } from "../commands/present-run.ts";
import { sliceText, taskData, taskDisplay } from "../commands/present-task.ts";
import { tasksOf } from "../commands/session-tasks.ts";
import { workingDirectoryOf } from "../commands/working-directory.ts";
import { sandboxUnavailableText } from "@fencepost/sandbox";
import type { CallContext } from "../context/call-context.ts";
import type { SessionContext } from "../context/session-context.ts";
import type { Task } from "../tasks/task.ts";
import { defineTool } from "../toolset/define-tool.ts";
import { commandProperty, workdirProperty } from "./bash.ts";
import { StartedData } from "./result-data.ts";

const defaultYieldMs = 10_000;
const defaultCols = 80;
const defaultRows = 24;

/** The largest terminal, in characters each way. */
export const maxTerminalSide = 500;

/** The most of the output so far that the handle carries, in bytes. */
const maxFirstOutputBytes = 16_384;

const Input = Type.Object(
  {
    command: commandProperty,
    workdir: workdirProperty,
    yieldTimeMs: Type.Optional(
      Type.Integer({ minimum: 0, maximum: maxYieldMs, description: `How long to wait for its end, in milliseconds: 0, or ${minYieldMs} to ${maxYieldMs}; default ${defaultYieldMs}` }),
    ),
    acceptsInput: Type.Optional(Type.Boolean({ description: "Whether command_input may write to it; default the value of tty" })),
    tty: Type.Optional(Type.Boolean({ description: "Give it a terminal; default false" })),
    cols: Type.Optional(Type.Integer({ minimum: 1, maximum: maxTerminalSide, description: `Terminal width, default ${defaultCols}` })),
    rows: Type.Optional(Type.Integer({ minimum: 1, maximum: maxTerminalSide, description: `Terminal height, default ${defaultRows}` })),
    login: Type.Optional(Type.Boolean({ description: "Run as a login shell; default false" })),
    duplicatePolicy: Type.Optional(
      Type.Union([Type.Literal("reuse_running"), Type.Literal("start_new")], { description: "What to do where the same command already runs; default reuse_running" }),
    ),
    description: Type.Optional(Type.String({ maxLength: 200, description: "What it does, in a few words, for the user" })),
  },
  { additionalProperties: false },
);

const description = [
  "Start a command that may run on after this call: a server, a watcher, a long build.",
  "If it ends within yieldTimeMs you get its result; otherwise a task id and the output so far.",
  "Follow it with command_output, talk to it with command_input, end it with cancel_command.",
].join(" ");

export const startCommandTool = defineTool({
  id: "start_command",
  description,
  risk: "process_execution",
  capabilities: ["process.execute", "filesystem.read", "filesystem.write"],
  family: "commands",
  escalates: true,
  inputSchema: Input,
  resultSchema: StartedData,
  examples: [{ command: "npm run dev", yieldTimeMs: 1000 }, { command: "python3 -i", acceptsInput: true, yieldTimeMs: 0 }],
  inspect: ({ command }) => ({ kind: "runs", commands: [normaliseCommand(command)] }),
  async execute(session, call, input) {
    const command = normaliseCommand(input.command);
    const yieldMs = input.yieldTimeMs ?? defaultYieldMs;
    const refusal = commandFault(command) ?? yieldFault(yieldMs) ?? blockedResult(session, command);
    if (refusal) return refusal;
    if (!session.sandbox.available) return failed("sandbox_unavailable", sandboxUnavailableText(session.sandbox.reason));
    const tasks = tasksOf(session);
    if ("refused" in tasks) return tasks.refused;
    const tty = input.tty ?? false;
    const noTerminal = tty ? await terminalFault(session) : undefined;
    if (noTerminal) return noTerminal;
    const directory = await workingDirectoryOf(session, call, input.workdir);
    if ("refused" in directory) return directory.refused;
    const { antiHang, secrets } = session.options.commands;
    const start = await tasks.start({
      command,
      workingDirectory: directory.path,
      policy: call.policy,
      env: commandEnvironment(session.environment, { antiHang: antiHang !== "none", secrets, ...(tty && { terminal: "xterm-256color" }) }),
      login: input.login ?? false,
      acceptsInput: input.acceptsInput ?? tty,
      terminal: tty ? { cols: input.cols ?? defaultCols, rows: input.rows ?? defaultRows } : undefined,
      startNew: input.duplicatePolicy === "start_new",
    });
    if (start.kind === "not_started") return failed(start.reason === "unavailable" ? "sandbox_unavailable" : "execution_failed", start.message);
    if (start.kind === "already_running") return handle(start.task, "already_running");
    await endedWithin(start.task, waitLimitMs(yieldMs, call.deadline), call.signal);
    return ownResult(session, call, start.task, input.description ?? command) ?? handle(start.task, "running");
  },
});

function yieldFault(yieldMs: number): ToolResult | undefined {
  if (yieldMs === 0 || yieldMs >= minYieldMs) return undefined;
  return failed("invalid_arguments", `${invalidInputPrefix}\`yieldTimeMs\` was ${yieldMs}; expected 0, or a whole number from ${minYieldMs} to ${maxYieldMs} (milliseconds)`);
}

async function terminalFault(session: SessionContext): Promise<ToolResult | undefined> {
  const found = (await session.processes.terminals?.()) ?? { available: false, reason: "no terminal backend is installed" };
  if (found.available) return undefined;
  return failed("execution_failed", `pty_unavailable: ${found.reason}. Start the command without tty, or ask the user to install a terminal backend.`, { details: { kind: "pty_unavailable" } });
}

async function endedWithin(task: Task, limitMs: number, signal: AbortSignal): Promise<void> {
  if (limitMs === 0 || signal.aborted) return;
  const waiting = new AbortController();
  const timer = setTimeout(() => waiting.abort(), limitMs);
  const stop = (): void => waiting.abort();
  signal.addEventListener("abort", stop, { once: true });
  await Promise.race([task.ended, new Promise<void>((resolve) => waiting.signal.addEventListener("abort", () => resolve(), { once: true }))]);
  clearTimeout(timer);
  signal.removeEventListener("abort", stop);
}

/** It ended while we waited: the same result as bash gives. */
function ownResult(session: SessionContext, call: CallContext, task: Task, title: string): ToolResult | undefined {
  const { outcome, end } = task;
  if (outcome === undefined) return undefined;
  const { exit, captured: output, durationMs } = outcome;
  if (!exit.gone) return commandResult(session, call, { kind: "unknown", durationMs, output, exit }, title);
  if (!exit.ran && task.state === "failed") return failed("sandbox_unavailable", sandboxUnavailableText(output.text.split("\n", 1)[0] || "the sandbox failed to start the command"));
  return end ? commandResult(session, call, { kind: "ended", end, durationMs, output, exit }, title) : undefined;
}

function handle(task: Task, state: "running" | "already_running"): ToolResult {
  const slice = task.output.read(0, maxFirstOutputBytes);
  const what = state === "running" ? `${task.taskId} is running.` : `${task.taskId} already runs this command, with the access it was started with.`;
  const token = task.tty ? ` Its terminal token is ${task.token}.` : "";
  const next = `[${what}${token} Read on with command_output taskId=${task.taskId} offset=${slice.nextOffset}; end it with cancel_command]`;
  const text = slice.text === "" ? `${noOutputText}\n` : sliceText(slice, slice.nextOffset);
  return succeeded(text + next, { data: { ...taskData(task), handle: state, nextOffset: slice.nextOffset }, display: taskDisplay(task) });
}
