import { Client as NewClient, StreamableHTTPClientTransport as NewHttp } from "@modelcontextprotocol/client";
import { StdioClientTransport as NewStdio } from "@modelcontextprotocol/client/stdio";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as OldStdio } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as OldHttp } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";

/** The SDK's clients: the first generation's package, and the second's in both generations of the protocol. */
export const clientKinds = ["sdk 1", "sdk 2, older protocol", "sdk 2, 2026-07-28"] as const;

export type ClientKind = (typeof clientKinds)[number];

/** Where a server is: a command to start, or an address. */
export type Place =
  | { readonly command: string; readonly args: readonly string[]; readonly env: Readonly<Record<string, string>> }
  | { readonly url: string; readonly token: string };

export interface Answered {
  readonly content: readonly { readonly type: string; readonly text?: string; readonly data?: string; readonly mimeType?: string }[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly isError?: boolean;
}

export interface CallOptions {
  readonly onProgress?: (message: string) => void;
  readonly signal?: AbortSignal;
}

export interface McpClient {
  readonly questions: string[];
  /** What the person at the client does with the next questions; the last stays. */
  answers: readonly ElicitAnswer[];
  list(): Promise<readonly ListedTool[]>;
  call(name: string, input: Record<string, unknown>, options?: CallOptions): Promise<Answered>;
  close(): Promise<void>;
}

export interface ListedTool {
  readonly name: string;
  readonly annotations?: Readonly<Record<string, unknown>>;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly outputSchema?: object;
}

export type ElicitAnswer = { action: "accept"; content: Record<string, string> } | { action: "decline" } | { action: "cancel" };

export const allow: ElicitAnswer = { action: "accept", content: { decision: "allow" } };
export const deny: ElicitAnswer = { action: "accept", content: { decision: "deny" } };

const info = { name: "test", version: "1" };

/** Connects a real client. `asks` false: it declares that it can show no forms. */
export async function connectClient(kind: ClientKind, place: Place, asks = true): Promise<McpClient> {
  const questions: string[] = [];
  let answers: readonly ElicitAnswer[] = [deny];
  const answer = (message: string): ElicitAnswer => {
    questions.push(message);
    const [next = deny, ...later] = answers;
    if (later.length > 0) answers = later;
    return next;
  };
  const { list, call, close } = kind === "sdk 1" ? await connectOld(place, asks ? answer : undefined) : await connectNew(place, asks ? answer : undefined, kind === "sdk 2, 2026-07-28");
  return {
    questions,
    get answers() {
      return answers;
    },
    set answers(next) {
      answers = next;
    },
    list,
    call,
    close,
  };
}

type Connection = Pick<McpClient, "list" | "call" | "close">;

type Answer = ((message: string) => ElicitAnswer) | undefined;

const capabilitiesOf = (answer: Answer): { elicitation?: { form: Record<string, never> } } => (answer ? { elicitation: { form: {} } } : {});

async function connectOld(place: Place, answer: Answer): Promise<Connection> {
  const client = new OldClient(info, { capabilities: capabilitiesOf(answer) });
  if (answer) client.setRequestHandler(ElicitRequestSchema, ({ params }) => answer(params.message));
  const transport = "url" in place ? new OldHttp(new URL(place.url), headersOf(place)) : new OldStdio(commandOf(place));
  await client.connect(transport);
  return {
    list: async () => listed((await client.listTools()).tools),
    call: async (name, input, options = {}) => answered(await client.callTool({ name, arguments: input }, undefined, requestOptions(options))),
    close: () => client.close(),
  };
}

async function connectNew(place: Place, answer: Answer, modern: boolean): Promise<Connection> {
  const client = new NewClient(info, { capabilities: capabilitiesOf(answer), versionNegotiation: { mode: modern ? { pin: "2026-07-28" } : "legacy" } });
  if (answer) client.setRequestHandler("elicitation/create", ({ params }) => answer(params.message));
  await client.connect("url" in place ? new NewHttp(new URL(place.url), headersOf(place)) : new NewStdio(commandOf(place)));
  return {
    list: async () => listed((await client.listTools()).tools),
    call: async (name, input, options = {}) => answered(await client.callTool({ name, arguments: input }, requestOptions(options))),
    close: () => client.close(),
  };
}

function headersOf({ token }: Extract<Place, { url: string }>): { requestInit: { headers: Record<string, string> } } {
  return { requestInit: { headers: { authorization: `Bearer ${token}` } } };
}

function commandOf({ command, args, env }: Extract<Place, { command: string }>): { command: string; args: string[]; env: Record<string, string>; stderr: "pipe" } {
  return { command, args: [...args], env: { ...env }, stderr: "pipe" };
}

function requestOptions({ signal, onProgress }: CallOptions): { signal?: AbortSignal; onprogress?: (progress: { message?: string | undefined }) => void } {
  return { ...(signal && { signal }), ...(onProgress && { onprogress: ({ message }) => onProgress(message ?? "") }) };
}

/** What came over the wire, as the tests read it. */
function listed(tools: unknown): readonly ListedTool[] {
  const copy: readonly ListedTool[] = JSON.parse(JSON.stringify(tools));
  return copy;
}

function answered(result: unknown): Answered {
  const copy: Answered = JSON.parse(JSON.stringify(result));
  return copy;
}

export function textOf(result: Answered): string {
  return result.content.map((part) => part.text ?? `[${part.type}]`).join("\n");
}
