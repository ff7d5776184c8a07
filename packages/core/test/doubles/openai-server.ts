import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

/** What one request of the test server is answered with. */
export type ServerAnswer = (response: ServerResponse, body: ChatRequest) => void | Promise<void>;

export interface ChatRequest {
  readonly model: string;
  readonly stream: boolean;
  readonly messages: readonly { readonly role: string; readonly content?: unknown; readonly tool_calls?: readonly { readonly id: string }[]; readonly tool_call_id?: string }[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
}

export interface OpenAiServer {
  readonly url: string;
  readonly requests: ChatRequest[];
  close(): Promise<void>;
}

/** A server that speaks the OpenAI-compatible chat protocol: an answer a request, in order. */
export async function openAiServer(answers: readonly ServerAnswer[]): Promise<OpenAiServer> {
  const requests: ChatRequest[] = [];
  const server = createServer((request, response) => void handle(request, response));
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await readJson(request);
    requests.push(body);
    await (answers[requests.length - 1] ?? says("The server has no more answers."))(response, body);
  };
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}/v1`,
    requests,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function readJson(request: IncomingMessage): Promise<ChatRequest> {
  let text = "";
  for await (const piece of request) text += String(piece);
  return JSON.parse(text);
}

export function head(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
}

/** One server-sent chunk. */
export function chunk(response: ServerResponse, delta: object, finish: string | null = null, extra: object = {}): void {
  const data = { id: "c", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, delta, finish_reason: finish }], ...extra };
  response.write(`data: ${JSON.stringify(data)}\n\n`);
}

export function done(response: ServerResponse): void {
  response.end("data: [DONE]\n\n");
}

/** Streams a text word by word. */
export function says(text: string): ServerAnswer {
  return (response) => {
    head(response);
    chunk(response, { role: "assistant", content: "" });
    for (const word of text.match(/\s*\S+/g) ?? []) chunk(response, { content: word });
    chunk(response, {}, "stop", { usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 } });
    done(response);
  };
}

/** One tool call as a model writes it. */
interface WantedCall {
  readonly name: string;
  /** JSON text. */
  readonly arguments: string;
  readonly id?: string;
}

/** Streams tool calls, the arguments in pieces. */
export function calls(...wanted: readonly WantedCall[]): ServerAnswer {
  return saysAndCalls("", ...wanted);
}

/** Streams a text and then tool calls, as most models do. */
export function saysAndCalls(text: string, ...wanted: readonly WantedCall[]): ServerAnswer {
  return (response) => {
    head(response);
    for (const word of text.match(/\s*\S+/g) ?? []) chunk(response, { content: word });
    for (const [index, call] of wanted.entries()) {
      chunk(response, { tool_calls: [{ index, id: call.id ?? `call_${index}`, type: "function", function: { name: call.name, arguments: "" } }] });
      for (const piece of call.arguments.match(/[\s\S]{1,5}/g) ?? []) chunk(response, { tool_calls: [{ index, function: { arguments: piece } }] });
    }
    chunk(response, {}, "tool_calls");
    done(response);
  };
}

/** Answers with an HTTP error. */
export function fails(status: number, message: string): ServerAnswer {
  return (response) => {
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify({ error: { message, type: "server_error" } }));
  };
}
