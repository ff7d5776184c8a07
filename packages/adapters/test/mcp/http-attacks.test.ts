import { once } from "node:events";
import { request, type IncomingHttpHeaders } from "node:http";
import { connect } from "node:net";
import { succeeded } from "@fencepost/contract";
import type { PermissionRequest } from "@fencepost/core";
import { listenMcpHttp, type HttpServing, type ServedSession } from "@fencepost/adapters/mcp";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

const card: PermissionRequest = { requestId: "r", callId: "c", sessionId: "s", toolId: "ask", kinds: ["escalation"], mode: "auto", paths: [{ path: "/w/.env", access: "write", scope: "exact", tier: "sensitive" }], covers: "This call only." };

const decisions: string[] = [];
const cancelled: string[] = [];
const warnings: string[] = [];
/** What lets a running `wait` go on. */
const waiting: (() => void)[] = [];

/** `wait` runs until it is let go, `ask` needs a person's word. */
const session: ServedSession = {
  id: "s",
  workspace: "/w",
  sandbox: { available: true, backend: "double" },
  definitions: ["look", "wait", "ask"].map((id) => ({ id, description: id, inputSchema: { type: "object" }, riskHint: "read_only" })),
  cancel(callId) {
    cancelled.push(callId);
    return true;
  },
  preview: async ({ toolId }) => (toolId === "ask" ? { kind: "asks", card } : { kind: "runs" }),
  async call({ toolId, approver }) {
    if (toolId === "wait") await new Promise<void>((resolve) => waiting.push(resolve));
    if (toolId === "ask") decisions.push((await approver?.decide(card, new AbortController().signal).catch(String)) ?? "nobody");
    return succeeded(`${toolId} is done`);
  },
};

let serving: HttpServing;
const unhandled: unknown[] = [];
const note = (reason: unknown): void => void unhandled.push(reason);

beforeAll(async () => {
  process.on("unhandledRejection", note);
  serving = await listenMcpHttp(session, { allowedOrigins: ["http://page.test"], onWarning: (text) => warnings.push(text) });
});

afterAll(async () => {
  await serving.close();
  process.off("unhandledRejection", note);
});

/** Whatever was sent, the server goes on and nothing fell on the floor. */
afterEach(async () => {
  expect((await post(callOf("look"), modern("look"))).text).toContain("look is done");
  expect(unhandled).toEqual([]);
  expect(warnings.filter((text) => /\n|\bat .*\.m?[jt]s:/.test(text))).toEqual([]);
});

interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

function authorised(): Record<string, string> {
  return { authorization: `Bearer ${serving.token}`, "content-type": "application/json", accept: "application/json, text/event-stream" };
}

function modern(name: string): Record<string, string> {
  return { ...authorised(), "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": name };
}

function post(body: string, headers: Record<string, string>, { method = "POST", path = "/mcp" } = {}): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port: new URL(serving.url).port, path, method, headers }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      response.once("close", () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
    });
    // A body that is refused need not be taken to its end.
    sent.on("error", reject);
    sent.end(body);
  });
}

const meta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" }, "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {} } } };

function callOf(name: string, input: object = {}): string {
  return JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: input, _meta: meta } });
}

/** A client of the older generation, by hand. Its id is what its later requests carry. */
async function legacy(): Promise<Record<string, string>> {
  const { headers } = await post(JSON.stringify({ jsonrpc: "2.0", id: 0, method: "initialize", params: { protocolVersion: "2025-06-18", capabilities: { elicitation: {} }, clientInfo: { name: "raw", version: "1" } } }), authorised());
  return { ...authorised(), "mcp-session-id": String(headers["mcp-session-id"]) };
}

function legacyCall(name: string): string {
  return JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: {} } });
}

function cancel(extra: object = {}): string {
  return JSON.stringify({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1, reason: "mine", ...extra } });
}

/** What a browser asks before a request of a page. */
function preflight(origin: string, extra: Record<string, string> = {}): Promise<Reply> {
  return post("", { origin, "access-control-request-method": "POST", "access-control-request-headers": "authorization, content-type, mcp-session-id", ...extra }, { method: "OPTIONS" });
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 10));
}

describe("what is no message of the protocol", () => {
  const parts = ["", "{", "[]", "null", "1", '"x"', '{"jsonrpc":"2.0"}', '{"jsonrpc":"1.0","id":1,"method":"tools/list"}', '{"jsonrpc":"2.0","id":{},"method":"tools/list"}', '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[1]}', '{"jsonrpc":"2.0","id":1,"method":"__proto__"}', '{"jsonrpc":"2.0","id":1,"result":{}}', "\u0000\uffff", `[${"[".repeat(100_000)}`];

  it.each(parts.map((body) => [body.slice(0, 40), body] as const))("%j is refused, in both generations", async (_shown, body) => {
    for (const headers of [authorised(), modern("look")]) {
      const { status, text } = await post(body, headers);
      expect(status).toBe(400);
      expect(JSON.parse(text)).toMatchObject({ jsonrpc: "2.0", error: { message: expect.not.stringMatching(/\bat .*js:\d/) } });
    }
  });

  it.each([
    ["TRACE", "/mcp", 405],
    ["PUT", "/mcp", 405],
    ["POST", "//[", 404],
    ["POST", "/mcp/../other", 404],
    ["POST", "http://other.test/mcp", 404],
  ])("%s %s has its own status and is no fault of the server", async (method, path, status) => {
    const before = warnings.length;
    expect((await post("", authorised(), { method, path })).status).toBe(status);
    expect(warnings).toHaveLength(before);
  });

  it("arguments nested a hundred thousand deep, and names that objects have of their own, are only arguments", async () => {
    const deep = callOf("look", { a: 0 }).replace('"a":0', `"a":${"[".repeat(100_000)}${"]".repeat(100_000)},"__proto__":{"x":1},"constructor":1`);
    expect((await post(deep, modern("look"))).text).toContain("look is done");
    for (const name of ["__proto__", "constructor", "toString"]) expect((await post(callOf(name), modern(name))).text).toContain("Unknown tool");
  });
});

describe("bodies", () => {
  it("that are too large are refused, in both generations", async () => {
    for (const headers of [authorised(), modern("look")]) {
      const reply = await post(callOf("look", { a: "x".repeat(9 * 1024 * 1024) }), headers).catch(() => undefined);
      // The server may close before all is sent; what matters is that it did not take it.
      if (reply) expect(reply.status).toBe(413);
    }
  });

  it("without the token are not waited for: the connection is closed", async () => {
    const socket = connect(Number(new URL(serving.url).port), "127.0.0.1");
    socket.write(`POST /mcp HTTP/1.1\r\nHost: ${new URL(serving.url).host}\r\nContent-Length: 100000000\r\n\r\nx`);
    let text = "";
    socket.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
    await once(socket, "end");
    socket.destroy();
    expect(text).toMatch(/^HTTP\/1\.1 401 /);
  });

  it("that never end hold up nobody else, also when their sender goes away", async () => {
    const socket = connect(Number(new URL(serving.url).port), "127.0.0.1");
    socket.on("error", () => {});
    const headers = Object.entries(modern("look")).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`POST /mcp HTTP/1.1\r\nHost: ${new URL(serving.url).host}\r\n${headers.join("")}Content-Length: 1000\r\n\r\n{"jsonrpc"`);
    expect((await post(callOf("look"), modern("look"))).text).toContain("look is done");
    socket.destroy();
  });
});

describe("one client and another", () => {
  it("a session id that was guessed opens nothing, and the one that was quiet longest gives way to the 65th", async () => {
    const first = await legacy();
    expect(first["mcp-session-id"]).toMatch(/^[0-9a-f-]{36}$/);
    for (const guessed of ["1", "", "../..", first["mcp-session-id"]?.replace(/.$/, (last) => (last === "0" ? "1" : "0")) ?? ""]) {
      const { status } = await post(legacyCall("look"), { ...first, "mcp-session-id": guessed });
      expect([400, 404]).toContain(status);
    }
    expect((await post(legacyCall("look"), first)).text).toContain("look is done");
    const others: Record<string, string>[] = [];
    for (let count = 0; count < 64; count++) others.push(await legacy());
    expect((await post(legacyCall("look"), first)).status).toBe(404);
    expect((await post(legacyCall("look"), others.at(-1) ?? {})).text).toContain("look is done");
  });

  it("nobody cancels another's call, whatever id they name", async () => {
    const [mine, theirs] = [await legacy(), await legacy()];
    cancelled.length = 0;
    const calling = post(legacyCall("wait"), mine);
    await until(() => waiting.length > 0);
    await post(cancel(), theirs);
    await post(cancel(), authorised());
    await post(cancel({ _meta: meta }), { ...modern(""), "mcp-method": "notifications/cancelled" });
    expect(cancelled).toEqual([]);
    for (const release of waiting.splice(0)) release();
    expect((await calling).text).toContain("wait is done");
  });

  it("[P19] a question is answered by the client that was asked, and by nobody else", async () => {
    const [mine, theirs] = [await legacy(), await legacy()];
    decisions.length = 0;
    const asked = await openStream(legacyCall("ask"), mine);
    await until(() => asked.text().includes("elicitation/create"));
    const id: unknown = /"id":(\d+|"[^"]*")/.exec(asked.text().split("\n").find((line) => line.includes("elicitation/create")) ?? "")?.[1];
    const answer = (decision: string): string => `{"jsonrpc":"2.0","id":${String(id)},"result":{"action":"accept","content":{"decision":"${decision}"}}}`;
    await post(answer("allow"), theirs);
    await post(answer("allow"), authorised());
    await post(answer("allow"), { ...mine, "mcp-session-id": "guessed" });
    expect(decisions).toEqual([]);
    await post(answer("deny"), mine);
    await asked.ended;
    expect(decisions).toEqual(["deny"]);
  });
});

describe("pages in a browser", () => {
  it("of an allowed origin may ask and read, with the token", async () => {
    const asked = await preflight("http://page.test", { "access-control-request-private-network": "true" });
    expect(asked).toMatchObject({
      status: 204,
      headers: { "access-control-allow-origin": "http://page.test", "access-control-allow-methods": "GET, POST, DELETE", "access-control-allow-headers": "authorization, content-type, mcp-session-id", "access-control-allow-private-network": "true" },
    });
    const origin = "http://page.test";
    expect(await post(callOf("look"), { ...modern("look"), origin })).toMatchObject({ status: 200, headers: { "access-control-allow-origin": origin, vary: "origin" } });
    expect((await post(callOf("look"), { ...modern("look"), origin, authorization: "Bearer no" })).status).toBe(401);
  });

  it.each(["http://evil.test", "null", "http://page.test.evil.test", "HTTP://PAGE.TEST"])("of another origin (%s) may do neither", async (origin) => {
    const asked = await preflight(origin);
    expect(asked.status).toBe(403);
    expect(asked.headers).not.toHaveProperty("access-control-allow-origin");
  });

  it("of an allowed origin under a rebound name may do neither", async () => {
    const asked = await preflight("http://page.test", { host: "page.test" });
    expect(asked.status).toBe(403);
    expect(asked.headers).not.toHaveProperty("access-control-allow-origin");
  });
});

/** A request whose answer is an event stream that is read while it comes. */
function openStream(body: string, headers: Record<string, string>): Promise<{ readonly text: () => string; readonly ended: Promise<unknown> }> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port: new URL(serving.url).port, path: "/mcp", method: "POST", headers }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      resolve({ text: () => text, ended: once(response, "close") });
    });
    sent.on("error", reject);
    sent.end(body);
  });
}
