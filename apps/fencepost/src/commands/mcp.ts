import { listenMcpHttp, protocolApprover, serveMcpStdio, type HttpOptions, type McpOptions } from "@fencepost/adapters/mcp";
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
  const token = given.http === true ? tokenOf(process.env) : undefined;
  // Who asks is the client: a card goes through its protocol unless the command line has answered already.
  const options = sessionOptions({ ...given, approve: given.approve ?? "ask" }, { approver: protocolApprover, whyNot: "" });
  const session = await openSession({ ...options, onWarning: warnOn(terminal) });
  const served: McpOptions = { version: await ownVersion(), structured: given["text-only"] !== true, approvals: given.approve === "deny" ? "session" : "client" };
  try {
    await (given.http === true ? serveHttp(session, { ...served, port, ...(token !== undefined && { token }) }, terminal) : serveStdio(session, served, terminal));
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

async function serveHttp(session: Session, served: HttpOptions, terminal: Terminal): Promise<void> {
  const serving = await listenMcpHttp(session, { ...served, onWarning: warnOn(terminal) }).catch((error: unknown) => {
    throw isTaken(error) ? new Error(`port ${served.port} of 127.0.0.1 is taken; choose another with --port, or leave it out for a free one`, { cause: error }) : error;
  });
  terminal.stderr.write(`fencepost: serving ${serving.url}\n`);
  if (served.token === undefined) terminal.stderr.write(`fencepost: authorization: Bearer ${serving.token}\n`);
  await interrupted(terminal);
  await serving.close();
}

function interrupted({ interruption }: Terminal): Promise<void> {
  return new Promise((resolve) => {
    if (interruption.aborted) resolve();
    else interruption.addEventListener("abort", () => resolve(), { once: true });
  });
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EADDRINUSE";
}

function tokenOf(env: NodeJS.ProcessEnv): string | undefined {
  const token = env[tokenVariable];
  if (token !== undefined && !/^\S{16,}$/.test(token)) throw new UsageError(`${tokenVariable} must have at least 16 characters and no spaces`);
  return token;
}

function portOf({ port, http }: Arguments): number {
  if (port === undefined) return 0;
  if (http !== true) throw new UsageError("--port belongs to --http");
  const number = /^\d{1,5}$/.test(port) ? Number(port) : Number.NaN;
  if (!(number <= maxPort)) throw new UsageError(`--port was "${port}"; expected a whole number from 0 to ${maxPort}`);
  return number;
}
