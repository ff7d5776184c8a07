import { openSession, type AgentSession, type TurnOutcome } from "@fencepost/core";
import { terminalApprover } from "../approval/terminal-approver.ts";
import { exitCodes } from "../cli/exit-code.ts";
import { endWithinMs } from "../cli/lifecycle.ts";
import type { Arguments } from "../cli/parse-arguments.ts";
import type { Terminal } from "../cli/terminal.ts";
import { createLiveView } from "../live/live-view.ts";
import { chooseModel } from "../models/choose-model.ts";
import { sessionOptions, warnOn } from "./session-options.ts";
import { settledWithin } from "./settled-within.ts";
import { findSession, openStoreIfPossible } from "./stored-session.ts";

/** `fencepost run`: one turn of a model, shown as it happens. Ctrl-C cancels the turn; a second one ends the process. */
export async function run(given: Arguments, terminal: Terminal): Promise<number> {
  const [prompt = ""] = given.operands;
  const approver = terminal.interactive ? terminalApprover(terminal) : undefined;
  const options = sessionOptions(given, { approver, whyNot: "standard input and standard error are no terminal" });
  const model = await chooseModel(given.model, process.env);
  const warn = warnOn(terminal);
  if (model.offline) warn("no model is configured, so the offline script answers; `fencepost run --help` says how to name one");
  const store = await openStoreIfPossible(options.workspace, warn);
  try {
    const resumed = given.resume === undefined ? undefined : store && (await findSession(store, options.workspace, given.resume));
    const session = await openSession({ ...options, model: model.port, onWarning: warn, ...(store && { store }), ...(resumed && { sessionId: resumed.sessionId }) });
    try {
      return exitCodeOf(await turn(session, prompt, given, terminal));
    } finally {
      await settledWithin(session.close(), endWithinMs, terminal.interruption);
    }
  } finally {
    await store?.close();
  }
}

async function turn(session: AgentSession, prompt: string, given: Arguments, terminal: Terminal): Promise<TurnOutcome> {
  const { stdout, out, interruption } = terminal;
  const live = createLiveView(out, { progress: terminal.watched });
  const stop = session.events.subscribe((event) => {
    stdout.write(given.json ? `${JSON.stringify(event)}\n` : live.show(event));
  });
  const cancel = (): void => void session.cancelTurn();
  interruption.addEventListener("abort", cancel);
  try {
    if (!given.json) stdout.write(`${out.style.dim(`session ${session.id}, mode ${session.mode}, sandbox ${session.sandbox.available ? session.sandbox.backend : `unavailable (${session.sandbox.reason})`}`)}\n`);
    const running = session.prompt(prompt, { signal: interruption });
    const ended = await settledWithin(running, endWithinMs, interruption);
    return ended?.outcome ?? { status: "cancelled" };
  } finally {
    interruption.removeEventListener("abort", cancel);
    stop();
  }
}

function exitCodeOf(outcome: TurnOutcome): number {
  if (outcome.status === "completed") return exitCodes.succeeded;
  return outcome.status === "failed" && outcome.code === "permission_denied" ? exitCodes.denied : exitCodes.failed;
}
