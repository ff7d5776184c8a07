import { finished, type Readable, type Writable } from "node:stream";
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { mcpServerFactory, type McpOptions, type ServedSession } from "./mcp-server.ts";

export interface StdioOptions extends McpOptions {
  /** Default: this process's standard input. */
  readonly input?: Readable;
  /** Default: this process's standard output. Nothing but the protocol may be written to it. */
  readonly output?: Writable;
  /** What went wrong besides calls, one line each. Default: said nowhere. */
  readonly onWarning?: (text: string) => void;
}

export interface StdioServing {
  /** Settles when the client has closed its end. What ran for it was cancelled. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

/** Serves a session to the one client at the other end of standard input and output. */
export function serveMcpStdio(session: ServedSession, options: StdioOptions = {}): StdioServing {
  const { input = process.stdin, output = process.stdout, onWarning } = options;
  const handle = serveStdio(mcpServerFactory(session, options), {
    transport: new StdioServerTransport(input, output),
    onerror: (error) => onWarning?.(error.message),
  });
  const ended = new Promise<void>((resolve) => finished(input, { writable: false }, () => resolve()));
  return { ended, close: () => handle.close() };
}
