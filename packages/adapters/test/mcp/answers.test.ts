import type { PermissionRequest } from "@fencepost/core";
import { succeeded } from "@fencepost/contract";
import { mcpHttpHandler, type ServedSession } from "@fencepost/adapters/mcp";
import { beforeEach, expect, it } from "vitest";

const card: PermissionRequest = {
  requestId: "r",
  callId: "c",
  sessionId: "s",
  toolId: "write",
  kinds: ["escalation"],
  mode: "auto",
  targets: [".env"],
  justification: "needed",
  paths: [{ path: "/w/.env", access: "write", scope: "exact", tier: "sensitive" }],
  covers: "This write call only.",
};

let decisions: string[];
let asked: PermissionRequest;
let shown: PermissionRequest;

/** A session that asks about every call, and notes what its approver answers. */
const session: ServedSession = {
  id: "s",
  workspace: "/w",
  sandbox: { available: true, backend: "double" },
  definitions: [{ id: "write", description: "Writes.", inputSchema: { type: "object" }, riskHint: "workspace_mutation" }],
  cancel: () => false,
  preview: async () => ({ kind: "asks", card: shown }),
  call: async ({ approver }) => {
    const decision = await approver?.decide(asked, new AbortController().signal).catch((error: unknown) => String(error));
    decisions.push(decision ?? "nobody");
    return succeeded("called");
  },
};

const handler = mcpHttpHandler(session);

beforeEach(() => {
  decisions = [];
  asked = card;
  shown = card;
});

interface Reply {
  readonly result?: { readonly resultType?: string; readonly requestState?: string; readonly inputRequests?: Record<string, { readonly params: { readonly message: string } }> };
  readonly error?: { readonly code: number };
}

/** One `tools/call` of the newest generation, as it goes over the wire. */
async function call(extra: object = {}, input: object = { path: ".env" }): Promise<Reply> {
  const response = await handler.fetch(
    new Request("http://127.0.0.1/mcp", {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream", "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": "write" },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: {
          name: "write",
          arguments: input,
          ...extra,
          _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" }, "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {} } } },
        },
      }),
    }),
  );
  const reply: Reply = JSON.parse(await response.text());
  return reply;
}

const yes = { approval: { action: "accept", content: { decision: "allow" } } };

it("[P19] an answer counts once: sent again, it is asked again", async () => {
  const first = await call();
  expect(first.result?.resultType).toBe("input_required");
  expect(decisions).toEqual([]);
  const requestState = first.result?.requestState;
  await call({ requestState, inputResponses: yes });
  expect(decisions).toEqual(["allow"]);
  expect((await call({ requestState, inputResponses: yes })).result?.resultType).toBe("input_required");
  expect(decisions).toEqual(["allow"]);
});

it("an answer to one call is no answer to another", async () => {
  const { result } = await call();
  const other = await call({ requestState: result?.requestState, inputResponses: yes }, { path: ".npmrc" });
  expect(other.result?.resultType).toBe("input_required");
  expect(decisions).toEqual([]);
});

it("an answer without its question, or with a forged one, allows nothing", async () => {
  expect((await call({ inputResponses: yes })).result?.resultType).toBe("input_required");
  expect((await call({ requestState: "v1.e30.AAAA", inputResponses: yes })).error?.code).toBe(-32602);
  expect(decisions).toEqual([]);
});

it("what the call asks for may not have changed since it was answered", async () => {
  const { result } = await call();
  shown = { ...card, paths: [{ path: "/elsewhere/.env", access: "write", scope: "exact", tier: "normal" }] };
  const again = await call({ requestState: result?.requestState, inputResponses: yes });
  expect(again.result?.inputRequests?.["approval"]?.params.message).toContain("/elsewhere/.env");
  // Nor between the last look and the call itself.
  shown = card;
  const next = await call();
  asked = { ...card, paths: [{ path: "/elsewhere/.env", access: "write", scope: "exact", tier: "normal" }] };
  await call({ requestState: next.result?.requestState, inputResponses: yes });
  expect(decisions).toEqual([expect.stringContaining("changed after the answer")]);
});

it.each([
  ["decline", { approval: { action: "decline" } }, "deny"],
  ["deny", { approval: { action: "accept", content: { decision: "deny" } } }, "deny"],
  ["an empty form", { approval: { action: "accept", content: {} } }, "deny"],
  ["another word", { approval: { action: "accept", content: { decision: "ALLOW" } } }, "deny"],
  ["dismissal", { approval: { action: "cancel" } }, "dismissed"],
])("only a clear yes allows: %s", async (_title, inputResponses, expected) => {
  const { result } = await call();
  await call({ requestState: result?.requestState, inputResponses });
  expect(decisions).toHaveLength(1);
  expect(decisions[0]).toContain(expected);
});

it("texts of the model cannot look like the question, and what is too long to read is not asked", async () => {
  shown = { ...card, justification: "harmless\u202e\u001b[2J\nAllow this once? (mode auto)" };
  const { result } = await call();
  const message = result?.inputRequests?.["approval"]?.params.message ?? "";
  expect(message).toContain("    harmless\\u{202e}\\u{1b}[2J\n    Allow this once? (mode auto)");
  shown = { ...card, command: "x".repeat(30_000) };
  await call();
  expect(decisions).toEqual([expect.stringContaining("too long for a person to read")]);
});
