import { failed, succeeded, type ToolResult } from "@fencepost/contract";
import { anthropicTools } from "@fencepost/adapters/anthropic";
import { openAiTools } from "@fencepost/adapters/openai";
import type { OpenAI } from "openai";
import { expect, it } from "vitest";
import type { ToolHost } from "../../src/shared/tool-host.ts";

const schema = { type: "object", properties: { path: { type: "string" } }, required: ["path"], additionalProperties: false };

/** Deeper than the stack. */
const deep: unknown = JSON.parse(`${"[".repeat(100_000)}${"]".repeat(100_000)}`);

/** A session whose calls answer with what they were. */
function host(answer: (toolId: string, input: unknown) => ToolResult = () => succeeded("called")): ToolHost & { readonly called: readonly string[] } {
  const called: string[] = [];
  return {
    called,
    definitions: ["read", "write", "edit", "list", "bash"].map((id) => ({ id, description: id, inputSchema: schema, riskHint: "read_only" })),
    cancel: () => false,
    call: async ({ callId, toolId, input }) => {
      called.push(`${callId} ${toolId}`);
      return answer(toolId, input);
    },
  };
}

it.each([
  ["command", { command: deep, path: "a" }, "`command` was a list; expected"],
  ["view_range", { command: "view", path: "a", view_range: deep }, "`view_range` was a list; expected"],
  ["view_range in an object", { command: "view", path: "a", view_range: { deep } }, "`view_range` was an object; expected"],
  ["path", { command: "view", path: deep }, "`path` is missing or of another kind"],
  ["file_text", { command: "create", path: "a", file_text: deep }, "`file_text` is missing or of another kind"],
  ["everything", deep, "`path` is missing or of another kind"],
])("a native call nested deeper than the stack (%s) is an answer, not an exception", async (_where, input, text) => {
  const answered = await anthropicTools(host(), { native: ["text_editor"] }).dispatch({ id: "1", name: "str_replace_based_edit_tool", input });
  expect(answered.is_error).toBe(true);
  expect(JSON.stringify(answered.content)).toContain(text);
});

it("arguments nested deeper than the stack reach the session, which bounds them", async () => {
  const session = host((_toolId, input) => (typeof input === "object" ? succeeded("object") : failed("invalid_json", "text")));
  const call = { type: "function_call", call_id: "1", name: "read" } as const;
  expect((await openAiTools(session).dispatch({ ...call, arguments: `{"path":${"[".repeat(100_000)}${"]".repeat(100_000)}}` })).output).toBe("object");
  expect((await openAiTools(session).dispatch({ ...call, arguments: "[".repeat(100_000) })).output).toBe("text");
  expect((await openAiTools(session).dispatch({ ...call, arguments: '{"__proto__":{"x":1},"constructor":null,"path":"a"}' })).output).toBe("object");
});

it("a call without an id, as some servers send it, has one of ours", async () => {
  const session = host();
  const tools = openAiTools(session);
  const call: OpenAI.Responses.ResponseFunctionToolCall = JSON.parse('{"type":"function_call","name":"read","arguments":"{}"}');
  await tools.dispatch(call);
  await tools.dispatch(call);
  expect(session.called).toEqual(["call read", "call~2 read"]);
});

it("text between a hundred thousand equal lines is not inserted, and nothing is tried for long", async () => {
  const total = 100_000;
  const pageLines = 2000;
  const session = host((toolId, input) => {
    if (toolId !== "read") return succeeded("changed");
    const { offset }: { offset: number } = JSON.parse(JSON.stringify(input));
    const shown = Array.from({ length: Math.min(pageLines, total - offset + 1) }, (_, index) => `${offset + index}\ta`);
    return succeeded(shown.join("\n"), { data: { firstLine: offset, lastLine: offset + shown.length - 1, totalLines: total } });
  });
  const insert = { command: "insert", path: "a.txt", insert_line: total / 2, insert_text: "b" };
  const answered = await anthropicTools(session, { native: ["text_editor"] }).dispatch({ id: "1", name: "str_replace_based_edit_tool", input: insert });
  expect(answered.is_error).toBe(true);
  expect(JSON.stringify(answered.content)).toContain("The lines around line 50000 of a.txt stand there more than once. Use str_replace");
  expect(session.called.filter((call) => !call.endsWith(" read"))).toEqual([]);
});

it("between two equal lines the place is both of them", async () => {
  const session = host((toolId) => (toolId === "read" ? succeeded("1\ta\n2\ta", { data: { firstLine: 1, lastLine: 2, totalLines: 2 } }) : succeeded("changed")));
  const insert = { command: "insert", path: "a.txt", insert_line: 1, insert_text: "b" };
  await anthropicTools(session, { native: ["text_editor"] }).dispatch({ id: "1", name: "str_replace_based_edit_tool", input: insert });
  expect(session.called).toEqual(["1 read", "1~2 edit"]);
});
