import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface Wire {
  readonly url: string;
  /** Bodies of the requests, oldest first. */
  readonly requests: readonly Record<string, unknown>[];
  close(): Promise<void>;
}

/** A server on this machine that answers each request with the next body: what a provider's client package talks to. */
export async function startWire(answers: readonly object[]): Promise<Wire> {
  const requests: Record<string, unknown>[] = [];
  const answerTo = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body: Record<string, unknown> = JSON.parse(await textOf(request));
    requests.push(body);
    const answer = answers[requests.length - 1];
    response.writeHead(answer ? 200 : 500, { "content-type": "application/json" }).end(JSON.stringify(answer ?? { error: { message: "no more answers" } }));
  };
  const server = createServer((request, response) => void answerTo(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address: AddressInfo | string | null = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString();
}
