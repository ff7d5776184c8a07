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
 * Whether a request comes from where it may. A page in a browser on this machine can reach every local port: it is kept
 * out by the names it has to send, `Host` against rebound names and `Origin`.
 */
export function refusedPlace(headers: IncomingHttpHeaders, { port, allowedOrigins }: AccessRules): Refused | undefined {
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  if (headers.host === undefined || !hosts.includes(headers.host.toLowerCase())) return { status: 403, message: "The Host header names another server." };
  const known = headers.origin === undefined || allowedOrigins.includes(headers.origin) || hosts.some((host) => headers.origin === `http://${host}`);
  return known ? undefined : { status: 403, message: "Requests from this origin are not allowed." };
}

/** Whether a request brings the token: what keeps everybody else out. */
export function refusedToken(headers: IncomingHttpHeaders, { token }: AccessRules): Refused | undefined {
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
