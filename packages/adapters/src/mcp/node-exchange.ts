import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

/** Node's request as the web's. Aborted when the client goes away before it has its answer. */
export function webRequest(incoming: IncomingMessage, url: URL, gone: AbortSignal): Request {
  const hasBody = incoming.method !== "GET" && incoming.method !== "HEAD";
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(", ") : value);
  return new Request(url, {
    method: incoming.method ?? "GET",
    headers,
    signal: gone,
    ...(hasBody && { body: Readable.toWeb(incoming), duplex: "half" }),
  });
}

/** Sends the web's answer as Node's, as it comes. */
export async function sendResponse(response: Response, outgoing: ServerResponse): Promise<void> {
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  if (response.body === null) {
    outgoing.end();
    return;
  }
  // Headers of an event stream go out before its first event.
  outgoing.flushHeaders();
  await pipeline(Readable.fromWeb(response.body), outgoing);
}
