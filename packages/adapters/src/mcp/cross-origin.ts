import type { IncomingMessage, ServerResponse } from "node:http";

/** How long a browser need not ask again, in seconds. */
const preflightLifetimeSeconds = 600;

/** What the protocol is spoken with. */
export const methods = ["GET", "POST", "DELETE"] as const;

/**
 * Lets a page of an allowed origin read the answers: browsers ask for it. Its requests still need the token.
 *
 * @returns whether the request was the browser's own question before a request, which is answered now: it brings no token
 */
export function answeredPreflight({ method, headers }: IncomingMessage, outgoing: ServerResponse, allowedOrigins: readonly string[]): boolean {
  const { origin } = headers;
  if (origin === undefined || !allowedOrigins.includes(origin)) return false;
  outgoing.setHeader("access-control-allow-origin", origin);
  outgoing.setHeader("access-control-expose-headers", "mcp-session-id, www-authenticate");
  outgoing.setHeader("vary", "origin");
  if (method !== "OPTIONS") return false;
  const wanted = headers["access-control-request-headers"];
  outgoing.writeHead(204, {
    "access-control-allow-methods": methods.join(", "),
    "access-control-max-age": String(preflightLifetimeSeconds),
    ...(wanted !== undefined && { "access-control-allow-headers": wanted }),
    ...(headers["access-control-request-private-network"] === "true" && { "access-control-allow-private-network": "true" }),
  });
  outgoing.end();
  return true;
}
