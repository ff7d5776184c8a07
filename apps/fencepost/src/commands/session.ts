import { openSession } from "@fencepost/core";
import { exitCodes } from "../cli/exit-code.ts";
import { endWithinMs } from "../cli/lifecycle.ts";
import type { Arguments } from "../cli/parse-arguments.ts";
import type { Terminal } from "../cli/terminal.ts";
import { UsageError } from "../cli/usage-error.ts";
import { createCardDesk } from "../jsonl/card-desk.ts";
import { serveSession } from "../jsonl/serve-session.ts";
import { createWire } from "../jsonl/wire.ts";
import { sessionOptions, warnOn } from "./session-options.ts";
import { settledWithin } from "./settled-within.ts";

const protocolVersion = 1;

/** `fencepost session --jsonl`: a session that any language can host. */
export async function session(given: Arguments, terminal: Terminal): Promise<number> {
  if (!given.jsonl) throw new UsageError("`fencepost session` needs --jsonl: the line protocol is its only form");
  const wire = createWire(terminal.stdout);
  const cards = createCardDesk((card) => wire.send({ permission: card }));
  const asking = given.approve !== undefined || terminal.interactive;
  const options = sessionOptions(given, { approver: asking ? cards.approver : undefined, whyNot: "nobody can be asked", warn: warnOn(terminal) });
  const opened = await openSession({ ...options, onWarning: warnOn(terminal) });
  wire.send({
    ready: { protocol: protocolVersion, session: opened.id, workspace: opened.workspace, mode: opened.mode, sandbox: sandboxState(opened.sandbox) },
  });
  const ended = new AbortController();
  terminal.interruption.addEventListener("abort", () => ended.abort(), { once: true });
  terminal.stdin.once("end", () => ended.abort());
  if (terminal.interruption.aborted) ended.abort();
  await settledWithin(serveAndClose(), endWithinMs, ended.signal);
  // What the host has not read by now it never will: the process does not wait for it.
  if (terminal.stdout.writableLength > 0) terminal.stdout.destroy();
  return exitCodes.succeeded;

  async function serveAndClose(): Promise<void> {
    await serveSession({ session: opened, input: terminal.stdin, wire, cards, progress: given.progress === true, stop: terminal.interruption, ended: ended.signal });
    await opened.close();
    await wire.written();
  }
}

function sandboxState(sandbox: { available: boolean; backend: string; reason?: string }): object {
  return { available: sandbox.available, backend: sandbox.backend, reason: sandbox.reason ?? null };
}
