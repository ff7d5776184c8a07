import { randomUUID } from "node:crypto";
import { text } from "node:stream/consumers";
import { isFileChangeArtifact, resultText, type ToolResult } from "@fencepost/contract";
import { openSession } from "@fencepost/core";
import { terminalApprover } from "../approval/terminal-approver.ts";
import { exitCodes } from "../cli/exit-code.ts";
import { endWithinMs } from "../cli/lifecycle.ts";
import { messageOf } from "../cli/message-of.ts";
import type { Arguments } from "../cli/parse-arguments.ts";
import type { Terminal } from "../cli/terminal.ts";
import { UsageError } from "../cli/usage-error.ts";
import { createLiveOutput, type LiveOutput } from "../live/live-output.ts";
import { renderChange } from "../view/diff.ts";
import { isOptionalTool } from "./chosen-tools.ts";
import { sessionOptions, warnOn } from "./session-options.ts";
import { settledWithin } from "./settled-within.ts";

/** `fencepost call`: one tool call in a session of its own. */
export async function call(given: Arguments, terminal: Terminal): Promise<number> {
  const [toolId = "", json = "{}"] = given.operands;
  const input = parseInput(json === "-" ? await text(terminal.stdin) : json);
  const approver = terminal.interactive ? terminalApprover(terminal) : undefined;
  const session = await openSession({ ...sessionOptions(given, { approver, whyNot: "standard input and standard error are no terminal", warn: warnOn(terminal) }), keepSpill: true, onWarning: warnOn(terminal) });
  const callId = randomUUID();
  const stop = (): void => void session.cancel(callId);
  terminal.interruption.addEventListener("abort", stop);
  try {
    const output = createLiveOutput((part) => void terminal.stdout.write(part), { watched: terminal.watched });
    const live = toolId === "bash" && !given.json;
    const running = session.call({ callId, toolId, input, ...(live && { onProgress: ({ text: part }) => output.show(part) }) });
    if (terminal.interruption.aborted) stop();
    const result = await settledWithin(running, endWithinMs, terminal.interruption);
    if (result === undefined) return exitCodes.failed;
    if (given.json) terminal.stdout.write(`${JSON.stringify(result)}\n`);
    else print(result, output, terminal);
    if (result.error?.details?.["kind"] === "not_observed") warnOn(terminal)("each `fencepost call` is a session of its own, in which nothing was read yet; `fencepost session --jsonl` and `fencepost run` can read a file and then change it");
    if (result.error?.code === "tool_not_found" && isOptionalTool(toolId)) warnOn(terminal)(`${toolId} is not in the default set; --tools ${toolId} adds it`);
    return exitCodeOf(result);
  } finally {
    await settledWithin(session.close(), endWithinMs, terminal.interruption);
  }
}

function parseInput(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    throw new UsageError(`the input is not valid JSON: ${messageOf(error)}`, { cause: error });
  }
}

function print(result: ToolResult, output: LiveOutput, terminal: Terminal): void {
  output.finish(resultText(result));
  const changes = result.artifacts.filter(isFileChangeArtifact).flatMap((artifact) => renderChange(artifact.payload, terminal.out));
  for (const line of changes) terminal.stdout.write(`${line}\n`);
}

function exitCodeOf(result: ToolResult): number {
  if (result.error?.code === "sandbox_unavailable") return exitCodes.sandboxUnavailable;
  if (result.status === "succeeded") return exitCodes.succeeded;
  return result.status === "denied" ? exitCodes.denied : exitCodes.failed;
}
