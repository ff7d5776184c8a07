import { text } from "node:stream/consumers";
import { openSession, type AgentSession, type SessionStore, type TurnOutcome } from "@fencepost/core";
import { terminalApprover } from "../approval/terminal-approver.ts";
import { exitCodes } from "../cli/exit-code.ts";
import { endWithinMs } from "../cli/lifecycle.ts";
import type { Arguments } from "../cli/parse-arguments.ts";
import type { Terminal } from "../cli/terminal.ts";
import { UsageError } from "../cli/usage-error.ts";
import { createLiveView } from "../live/live-view.ts";
import { addressText, chooseModel } from "../models/choose-model.ts";
import { visibleLine } from "../view/visible.ts";
import { sessionOptions, warnOn } from "./session-options.ts";
import { settledWithin } from "./settled-within.ts";
import { findSession, openStoreIfPossible } from "./stored-session.ts";

/** In place of the prompt, as in other programs. */
const fromStandardInput = "-";

/** `fencepost run`: one turn of a model, shown as it happens. Ctrl-C cancels the turn; a second one ends the process. */
export async function run(given: Arguments, terminal: Terminal): Promise<number> {
  const [operand = ""] = given.operands;
  const warn = warnOn(terminal);
  const piped = operand === fromStandardInput;
  const approver = terminal.interactive && !piped ? terminalApprover(terminal) : undefined;
  const options = sessionOptions(given, { approver, whyNot: piped ? "standard input was the prompt" : "standard input and standard error are no terminal", warn });
  const model = await chooseModel(given.model, process.env);
  const prompt = piped ? await text(terminal.stdin) : operand;
  if (prompt.trim() === "") throw new UsageError("the prompt is empty; say what is to be done");
  const store = await openStoreIfPossible(options.workspace, warn);
  try {
    const resumed = given.resume === undefined ? undefined : await findSession(stored(store), options.workspace, given.resume);
    const session = await openSession({ ...options, model: model.port, onWarning: warn, ...(store && { store }), ...(resumed && { sessionId: resumed.sessionId }) });
    if (model.offline) warn("no model is configured, so the offline script answers; `fencepost run --help` says how to name one");
    try {
      if (!given.json) terminal.stdout.write(`${terminal.out.style.dim(headline(session, model.name))}\n`);
      const outcome = await turn(session, prompt, given, terminal);
      if (!given.json && store && outcome.status !== "completed") terminal.stdout.write(`${terminal.out.style.dim(`Go on with: fencepost run --resume ${session.id} "…"`)}\n`);
      if (outcome.status === "failed" && outcome.code === "model_error" && model.address) warn(addressText(model.address));
      return exitCodeOf(outcome);
    } finally {
      await settledWithin(session.close(), endWithinMs, terminal.interruption);
    }
  } finally {
    await store?.close();
  }
}

function stored(store: SessionStore | undefined): SessionStore {
  if (store === undefined) throw new Error("nothing can be resumed where sessions cannot be stored");
  return store;
}

function headline({ id, mode, sandbox }: AgentSession, model: string): string {
  return visibleLine(`session ${id}, model ${model}, mode ${mode}, sandbox ${sandbox.available ? sandbox.backend : `unavailable (${sandbox.reason})`}`);
}

async function turn(session: AgentSession, prompt: string, given: Arguments, terminal: Terminal): Promise<TurnOutcome> {
  const { stdout, out, interruption } = terminal;
  const live = createLiveView(out, { progress: terminal.watched });
  const stop = session.events.subscribe((event) => {
    stdout.write(given.json ? `${JSON.stringify(event)}\n` : live.show(event));
  });
  const cancel = (): void => {
    if (terminal.watched) live.interrupted();
    session.cancelTurn();
  };
  interruption.addEventListener("abort", cancel);
  try {
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
