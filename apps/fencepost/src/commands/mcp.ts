import { listenMcpHttp, protocolApprover, serveMcpStdio, type McpOptions } from "@fencepost/adapters/mcp";
import { openSession, type Session } from "@fencepost/core";
import { exitCodes } from "../cli/exit-code.ts";
import { endWithinMs } from "../cli/lifecycle.ts";
import type { Arguments } from "../cli/parse-arguments.ts";
import type { Terminal } from "../cli/terminal.ts";
import { UsageError } from "../cli/usage-error.ts";
import { ownVersion } from "../version.ts";
import { sessionOptions, warnOn } from "./session-options.ts";
import { settledWithin } from "./settled-within.ts";

/** Where a client's token comes from: an argument would be in every list of processes. */
const tokenVariable = "FENCEPOST_MCP_TOKEN";

const maxPort = 65_535;

/** `fencepost mcp`: a session for a client of the Model Context Protocol. Standard output carries the protocol alone. */
export async function mcp(given: Arguments, terminal: Terminal): Promise<number> {
  const port = portOf(given);
  // Who asks is the client: a card goes through its protocol unless the command line has answered already.
  const options = sessionOptions({ ...given, approve: given.approve ?? "ask" }, { approver: protocolApprover, whyNot: "" });
  const session = await openSession({ ...options, onWarning: warnOn(terminal) });
  const served: McpOptions = { version: await ownVersion(), structured: given["text-only"] !== true, approvals: given.approve === "deny" ? "session" : "client" };
  try {
    await (given.http === true ? serveHttp(session, port, served, terminal) : serveStdio(session, served, terminal));
  } finally {
    await settledWithin(session.close(), endWithinMs, AbortSignal.abort());
  }
  return exitCodes.succeeded;
}

async function serveStdio(session: Session, served: McpOptions, terminal: Terminal): Promise<void> {
  const serving = serveMcpStdio(session, { ...served, input: terminal.stdin, output: terminal.stdout, onWarning: warnOn(terminal) });
  await Promise.race([serving.ended, interrupted(terminal)]);
  await serving.close();
}

async function serveHttp(session: Session, port: number, served: McpOptions, terminal: Terminal): Promise<void> {
  const token = process.env[tokenVariable];
  const serving = await listenMcpHttp(session, { ...served, port, onWarning: warnOn(terminal), ...(token !== undefined && { token }) });
  terminal.stderr.write(`fencepost: serving ${serving.url}\n`);
  if (token === undefined) terminal.stderr.write(`fencepost: authorization: Bearer ${serving.token}\n`);
  await interrupted(terminal);
  await serving.close();
}

function interrupted({ interruption }: Terminal): Promise<void> {
  return new Promise((resolve) => {
    if (interruption.aborted) resolve();
    else interruption.addEventListener("abort", () => resolve(), { once: true });
  });
}

function portOf({ port, http }: Arguments): number {
  if (port === undefined) return 0;
  if (http !== true) throw new UsageError("--port belongs to --http");
  const number = /^\d{1,5}$/.test(port) ? Number(port) : Number.NaN;
  if (!(number <= maxPort)) throw new UsageError(`--port was "${port}"; expected a whole number from 0 to ${maxPort}`);
  return number;
}
