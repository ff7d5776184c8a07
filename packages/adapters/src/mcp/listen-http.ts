import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { refusedPlace, refusedToken } from "./access.ts";
import { answeredPreflight, methods } from "./cross-origin.ts";
import { mcpHttpHandler } from "./http-handler.ts";
import type { McpOptions, ServedSession } from "./mcp-server.ts";
import { sendResponse, webRequest } from "./node-exchange.ts";

/** A shorter token could be guessed. In characters. */
const minTokenCharacters = 16;

const path = "/mcp";

export interface HttpOptions extends McpOptions {
  /** Default 0: any free one. */
  readonly port?: number;
  /** What clients send as a bearer token, 16 characters at least. Default: 256 random bits. */
  readonly token?: string;
  /** Origins of web pages that may call besides this server's own, such as `http://localhost:6274`. Default none. They need the token, too. */
  readonly allowedOrigins?: readonly string[];
  readonly onWarning?: (text: string) => void;
}

export interface HttpServing {
  /** `http://127.0.0.1:<port>/mcp`. */
  readonly url: string;
  readonly token: string;
  close(): Promise<void>;
}

/**
 * Serves a session over streamable HTTP on 127.0.0.1, and nowhere else. Every request needs the token.
 *
 * @throws {Error} a token that is too short, a port that is taken
 */
export async function listenMcpHttp(session: ServedSession, options: HttpOptions = {}): Promise<HttpServing> {
  const { token = randomBytes(32).toString("base64url"), allowedOrigins = [], port: wanted = 0 } = options;
  if (token.length < minTokenCharacters || /\s/.test(token)) throw new Error(`the token must have at least ${minTokenCharacters} characters and no spaces`);
  const handler = mcpHttpHandler(session, options);
  const server = createServer();
  const port = await listening(server, wanted);
  const url = `http://127.0.0.1:${port}${path}`;

  const serve = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const rules = { token, port, allowedOrigins };
    const place = refusedPlace(incoming.headers, rules);
    if (!place && answeredPreflight(incoming, outgoing, allowedOrigins)) return;
    const refused = place ?? refusedToken(incoming.headers, rules);
    if (refused) return reply(outgoing, refused.status, refused.message);
    if (incoming.url?.split("?", 1)[0] !== path) return reply(outgoing, 404, `The protocol is spoken at ${path}.`);
    if (!methods.some((method) => method === incoming.method)) return reply(outgoing, 405, `The protocol is spoken with ${methods.join(", ")}.`);
    const gone = new AbortController();
    outgoing.once("close", () => gone.abort());
    await sendResponse(await handler.fetch(webRequest(incoming, new URL(url), gone.signal)), outgoing);
  };

  server.on("request", (incoming, outgoing) => {
    serve(incoming, outgoing).catch((error: unknown) => {
      if (!outgoing.destroyed) options.onWarning?.(error instanceof Error ? error.message : String(error));
      if (outgoing.headersSent) outgoing.destroy();
      else reply(outgoing, 500, "The request could not be served.");
    });
  });

  return {
    url,
    token,
    async close() {
      await handler.close();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

function listening(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host: "127.0.0.1", port }, () => {
      server.off("error", reject);
      const address: AddressInfo | string | null = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : port);
    });
  });
}

/** What else the client sends on this connection is not waited for. */
function reply(outgoing: ServerResponse, status: number, message: string): void {
  const headers = { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store", connection: "close", ...(status === 401 && { "www-authenticate": "Bearer" }) };
  outgoing.writeHead(status, headers).end(`${message}\n`);
}
