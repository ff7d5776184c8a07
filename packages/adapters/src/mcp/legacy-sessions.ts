import { randomUUID } from "node:crypto";
import { McpServer, WebStandardStreamableHTTPServerTransport, type McpServerFactory } from "@modelcontextprotocol/server";

/** How many clients of the older generation are held at once; the one that was quiet longest gives way. */
const maxClients = 64;

/** Of one request. A file of 1 MiB whose every character needs an escape still fits. */
export const maxRequestBytes = 8 * 1024 * 1024;

const sessionHeader = "mcp-session-id";

/** The older generation over HTTP: a client has a session, so that it can be asked in the middle of a call. */
export interface LegacySessions {
  fetch(request: Request): Promise<Response>;
  close(): Promise<void>;
}

export function createLegacySessions(factory: McpServerFactory): LegacySessions {
  const clients = new Map<string, WebStandardStreamableHTTPServerTransport>();

  const known = (id: string): WebStandardStreamableHTTPServerTransport | undefined => {
    const transport = clients.get(id);
    if (!transport) return undefined;
    // The last is the one that was used last.
    clients.delete(id);
    clients.set(id, transport);
    return transport;
  };

  const open = async (): Promise<WebStandardStreamableHTTPServerTransport> => {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      maxRequestBodySize: maxRequestBytes,
      onsessioninitialized: async (id) => {
        clients.set(id, transport);
        const oldest = clients.keys().next();
        if (clients.size > maxClients && !oldest.done) await clients.get(oldest.value)?.close();
      },
    });
    const server = await factory({ era: "legacy" });
    const protocol = server instanceof McpServer ? server.server : server;
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK's server is no event target
    protocol.onclose = () => {
      if (transport.sessionId !== undefined) clients.delete(transport.sessionId);
    };
    await server.connect(transport);
    return transport;
  };

  return {
    async fetch(request) {
      const id = request.headers.get(sessionHeader);
      if (id === null) {
        const transport = await open();
        const response = await transport.handleRequest(request);
        // Not an `initialize`: refused, and nobody will come back to it.
        if (transport.sessionId === undefined) await transport.close();
        return response;
      }
      return known(id)?.handleRequest(request) ?? unknownSession();
    },
    async close() {
      await Promise.allSettled([...clients.values()].map((transport) => transport.close()));
    },
  };
}

/** Tells the client to start anew. */
function unknownSession(): Response {
  return Response.json({ jsonrpc: "2.0", error: { code: -32001, message: "Session not found" }, id: null }, { status: 404 });
}
