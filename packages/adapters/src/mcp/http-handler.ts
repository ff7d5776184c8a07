import { createMcpHandler, isLegacyRequest } from "@modelcontextprotocol/server";
import { createLegacySessions, maxRequestBytes } from "./legacy-sessions.ts";
import { mcpServerFactory, type McpOptions, type ServedSession } from "./mcp-server.ts";

export interface McpHttpHandler {
  /** One request of streamable HTTP. Knows nothing of tokens and origins: check them before. */
  fetch(request: Request): Promise<Response>;
  /** Ends what clients wait for. The session stays open. */
  close(): Promise<void>;
}

/** A session over streamable HTTP, both generations of the protocol at one address, for any server that speaks `fetch`. */
export function mcpHttpHandler(session: ServedSession, options: McpOptions & { readonly onWarning?: (text: string) => void } = {}): McpHttpHandler {
  const factory = mcpServerFactory(session, options);
  const modern = createMcpHandler(factory, { legacy: "reject", maxRequestBodySize: maxRequestBytes, onerror: (error) => options.onWarning?.(error.message) });
  const legacy = createLegacySessions(factory);
  return {
    fetch: async (request) => ((await isLegacyRequest(request, undefined, { maxRequestBodySize: maxRequestBytes })) ? legacy.fetch(request) : modern.fetch(request)),
    async close() {
      await legacy.close();
      await modern.close();
    },
  };
}
