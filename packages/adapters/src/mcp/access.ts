import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

export interface AccessRules {
  readonly token: string;
  /** The port that was bound. */
  readonly port: number;
  readonly allowedOrigins: readonly string[];
}

export interface Refused {
  readonly status: 401 | 403;
  readonly message: string;
}

/**
 * Whether a request may be served. A page in a browser on this machine can reach every local port: it is kept out by
 * the names it has to send (`Host` against rebound names, `Origin`), everybody else by the token.
 */
export function refusedAccess(headers: IncomingHttpHeaders, { token, port, allowedOrigins }: AccessRules): Refused | undefined {
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  if (headers.host === undefined || !hosts.includes(headers.host.toLowerCase())) return { status: 403, message: "The Host header names another server." };
  if (headers.origin !== undefined && !allowedOrigins.includes(headers.origin) && !hosts.some((host) => headers.origin === `http://${host}`)) {
    return { status: 403, message: "Requests from this origin are not allowed." };
  }
  const given = /^Bearer +(\S+)$/i.exec(headers.authorization ?? "")?.[1] ?? "";
  return sameText(given, token) ? undefined : { status: 401, message: "The bearer token is missing or wrong." };
}

/** In a time that says nothing of the token. */
function sameText(left: string, right: string): boolean {
  return timingSafeEqual(digest(left), digest(right));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
