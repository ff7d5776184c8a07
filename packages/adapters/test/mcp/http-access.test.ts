import { request } from "node:http";
import { failed, succeeded, type ToolResult } from "@fencepost/contract";
import { listenMcpHttp, type HttpServing, type ServedSession } from "@fencepost/adapters/mcp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectClient } from "../doubles/mcp-clients.ts";

const results: Record<string, ToolResult> = {
  look: { ...succeeded("a picture"), content: [{ type: "text", text: "a picture" }, { type: "image", mediaType: "image/png", data: "iVBORw0KGgo=" }] },
  fail: failed("execution_failed", "no", { details: { kind: "missing" }, recoveryHint: "look" }),
};

const called: string[] = [];

/** A session whose tools give one result each. */
const session: ServedSession = {
  id: "s",
  workspace: "/w",
  sandbox: { available: true, backend: "double" },
  definitions: Object.keys(results).map((id) => ({ id, description: `The ${id} of the test.`, inputSchema: { type: "object", properties: {}, required: [], additionalProperties: false }, riskHint: "read_only" })),
  cancel: () => false,
  preview: async () => ({ kind: "runs" }),
  call: async ({ toolId }) => {
    called.push(toolId);
    return results[toolId] ?? failed("tool_not_found", "no");
  },
};

let serving: HttpServing;

beforeAll(async () => {
  serving = await listenMcpHttp(session, { allowedOrigins: ["http://allowed.test"] });
});

afterAll(() => serving.close());

/** With the headers as they are: `fetch` would set its own Host. */
function post(headers: Record<string, string>, path = "/mcp"): Promise<{ readonly status: number; readonly headers: Record<string, unknown> }> {
  const { port } = new URL(serving.url);
  return new Promise((resolve, reject) => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "raw", version: "1" } } });
    const sent = request({ host: "127.0.0.1", port, path, method: "POST", headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers } }, (response) => {
      response.resume().once("close", () => resolve({ status: response.statusCode ?? 0, headers: response.headers }));
    });
    sent.once("error", reject);
    sent.end(body);
  });
}

describe("access over HTTP", () => {
  it("needs the token, and says so", async () => {
    expect(await post({})).toMatchObject({ status: 401, headers: { "www-authenticate": "Bearer" } });
    expect(await post({ authorization: "Bearer wrong-wrong-wrong-wrong" })).toMatchObject({ status: 401 });
    expect(await post({ authorization: `Basic ${serving.token}` })).toMatchObject({ status: 401 });
    expect(await post({ authorization: `Bearer ${serving.token}` })).toMatchObject({ status: 200 });
  });

  it("refuses pages of other origins and rebound names, also with the token", async () => {
    const authorization = `Bearer ${serving.token}`;
    expect(await post({ authorization, origin: "http://evil.test" })).toMatchObject({ status: 403 });
    expect(await post({ authorization, origin: "null" })).toMatchObject({ status: 403 });
    expect(await post({ authorization, host: "evil.test" })).toMatchObject({ status: 403 });
    expect(await post({ authorization, origin: "http://allowed.test" })).toMatchObject({ status: 200 });
    expect(await post({ authorization, origin: new URL(serving.url).origin })).toMatchObject({ status: 200 });
    expect(await post({ authorization }, "/other")).toMatchObject({ status: 404 });
  });

  it("takes no short token", async () => {
    await expect(listenMcpHttp(session, { token: "short" })).rejects.toThrow("at least 16 characters");
  });

  it("listens on this machine only", () => {
    expect(new URL(serving.url).hostname).toBe("127.0.0.1");
  });
});

describe("results", () => {
  it("images are images, a failure has its code and hint, and the structured form can be left out", async () => {
    const client = await connectClient("sdk 2, 2026-07-28", serving);
    expect((await client.call("look", {})).content).toEqual([
      { type: "text", text: "a picture" },
      { type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" },
    ]);
    expect(await client.call("fail", {})).toMatchObject({ isError: true, structuredContent: { status: "failed", error: { code: "execution_failed", recoveryHint: "look", details: { kind: "missing" } } } });
    await client.close();

    const plain = await listenMcpHttp(session, { structured: false });
    const reader = await connectClient("sdk 1", plain);
    expect((await reader.list()).every((tool) => !("outputSchema" in tool))).toBe(true);
    expect(await reader.call("look", {})).not.toHaveProperty("structuredContent");
    await reader.close();
    await plain.close();
  });
});
