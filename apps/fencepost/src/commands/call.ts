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
import { renderChange } from "../view/diff.ts";
import { visibleText } from "../view/visible.ts";
import { sessionOptions, warnOn } from "./session-options.ts";
import { settledWithin } from "./settled-within.ts";

/** `fencepost call`: one tool call in a session of its own. */
export async function call(given: Arguments, terminal: Terminal): Promise<number> {
  const [toolId = "", json = "{}"] = given.operands;
  const input = parseInput(json === "-" ? await text(terminal.stdin) : json);
  const approver = terminal.interactive ? terminalApprover(terminal) : undefined;
  const session = await openSession({ ...sessionOptions(given, { approver, whyNot: "standard input and standard error are no terminal" }), keepSpill: true, onWarning: warnOn(terminal) });
  const callId = randomUUID();
  const stop = (): void => void session.cancel(callId);
  terminal.interruption.addEventListener("abort", stop);
  try {
    const running = session.call({ callId, toolId, input });
    if (terminal.interruption.aborted) stop();
    const result = await settledWithin(running, endWithinMs, terminal.interruption);
    if (result === undefined) return exitCodes.failed;
    print(result, given, terminal);
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

function print(result: ToolResult, given: Arguments, terminal: Terminal): void {
  if (given.json) {
    terminal.stdout.write(`${JSON.stringify(result)}\n`);
    return;
  }
  const changes = result.artifacts.filter(isFileChangeArtifact).map((artifact) => renderChange(artifact.payload, terminal.out).join("\n"));
  const shown = [visibleText(resultText(result)), ...changes].join("\n");
  terminal.stdout.write(shown.endsWith("\n") ? shown : `${shown}\n`);
}

function exitCodeOf(result: ToolResult): number {
  if (result.error?.code === "sandbox_unavailable") return exitCodes.sandboxUnavailable;
  if (result.status === "succeeded") return exitCodes.succeeded;
  return result.status === "denied" ? exitCodes.denied : exitCodes.failed;
}
