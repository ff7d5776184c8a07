import { randomBytes } from "node:crypto";
import { createRequestStateCodec, Server, type McpServerFactory } from "@modelcontextprotocol/server";
import type { Session } from "@fencepost/core";
import type { StatusOptions } from "../shared/status.ts";
import { callTool, type CallDesk, type QuestionState } from "./call-tool.ts";
import { createSpentAnswers } from "./spent-answers.ts";
import { toolEntry } from "./tool-entry.ts";

/** How long a person may think, in seconds; then the question is asked anew. */
const answerLifetimeSeconds = 600;

/** The part of a session that is served. */
export type ServedSession = Pick<Session, "id" | "workspace" | "sandbox" | "definitions" | "call" | "cancel" | "preview">;

export interface McpOptions extends StatusOptions {
  /** What clients see. Default `fencepost`. */
  readonly name?: string;
  readonly version?: string;
  /**
   * Whether results also come as `structuredContent`, and tools with an output schema. Default true. Some clients then
   * show their model that JSON in place of the text: false is easier to read for it.
   */
  readonly structured?: boolean;
  /** Who is asked: the person at the client (default), or whoever the session's own approver asks. */
  readonly approvals?: "client" | "session";
}

/**
 * A session as an MCP server, for `serveStdio`, `createMcpHandler` or a transport of your own. One factory serves both
 * generations of the protocol; every server it makes shares the session.
 *
 * Open the session with `approver: protocolApprover`: calls that need a person's word ask through the client.
 */
export function mcpServerFactory(session: ServedSession, options: McpOptions = {}): McpServerFactory {
  const { name = "fencepost", version = "0.0.0", structured = true, nonZeroExitFails = false, approvals = "client" } = options;
  const codec = createRequestStateCodec<QuestionState>({ key: randomBytes(32), ttlSeconds: answerLifetimeSeconds, bind: ({ mcpReq }) => `${session.id}\0${mcpReq.method}` });
  const desk: CallDesk = { host: session, asksClient: approvals === "client", codec, spent: createSpentAnswers(answerLifetimeSeconds), results: { structured, nonZeroExitFails } };
  const tools = session.definitions.map((definition) => toolEntry(definition, structured));
  return () => {
    const server = new Server(
      { name, version },
      {
        capabilities: { tools: {} },
        instructions: instructionsFor(session),
        requestState: { verify: (state, context) => codec.verify(state, context) },
        inputRequired: { roundTimeoutMs: answerLifetimeSeconds * 1000 },
      },
    );
    server.setRequestHandler("tools/list", () => ({ tools }));
    server.setRequestHandler("tools/call", (request, context) => callTool(desk, request.params, context, server.getClientCapabilities()));
    return server;
  };
}

function instructionsFor({ workspace, sandbox }: ServedSession): string {
  const commands = sandbox.available ? "" : ` Commands cannot run here: ${sandbox.reason}.`;
  return `Coding tools for the workspace ${workspace}; relative paths start there. Read a file before you change it.${commands}`;
}
