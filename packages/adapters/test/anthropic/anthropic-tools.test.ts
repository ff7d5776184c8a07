import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openSession, type AgentSession } from "@fencepost/core";
import { anthropicTools, type AnthropicTools } from "@fencepost/adapters/anthropic";
import { Anthropic } from "@anthropic-ai/sdk";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { realWorkspace } from "../doubles/real-workspace.ts";
import { startWire } from "../doubles/wire.ts";

const place = realWorkspace();
let session: AgentSession;

beforeAll(async () => {
  session = await openSession({ workspace: place.path });
});

afterAll(() => session.close());

function message(content: readonly object[], stop: string): object {
  return { id: "m", type: "message", role: "assistant", model: "test", content, stop_reason: stop, stop_sequence: null, usage: { input_tokens: 1, output_tokens: 1 } };
}

it("[T38] the client drives the tools, and a failed one is is_error", async () => {
  writeFileSync(join(place.path, "a.txt"), "one\n");
  const wire = await startWire([
    message(
      [
        { type: "tool_use", id: "t1", name: "read", input: { path: "a.txt" }, caller: { type: "direct" } },
        { type: "tool_use", id: "t2", name: "edit", input: { filePath: "a.txt", oldString: "two", newString: "2" }, caller: { type: "direct" } },
        { type: "tool_use", id: "t3", name: "write", input: { path: "b.txt", content: "b\n" }, caller: { type: "direct" } },
      ],
      "tool_use",
    ),
    message([{ type: "text", text: "done", citations: null }], "end_turn"),
  ]);
  try {
    const client = new Anthropic({ baseURL: wire.url, apiKey: "none", maxRetries: 0 });
    const tools = anthropicTools(session);
    const messages: Anthropic.Messages.MessageParam[] = [{ role: "user", content: "go" }];
    const first = await client.messages.create({ model: "test", max_tokens: 100, messages, tools: tools.tools });
    const results: Anthropic.Messages.ToolResultBlockParam[] = [];
    for (const block of first.content) if (block.type === "tool_use") results.push(await tools.dispatch(block));
    messages.push({ role: "assistant", content: first.content }, { role: "user", content: results });
    await client.messages.create({ model: "test", max_tokens: 100, messages, tools: tools.tools });
    expect(wire.requests[0]?.["tools"]).toContainEqual(expect.objectContaining({ name: "edit", input_schema: expect.objectContaining({ type: "object" }) }));
    expect(results.map(({ tool_use_id: id, is_error: isError }) => [id, isError ?? false])).toEqual([
      ["t1", false],
      ["t2", true],
      ["t3", false],
    ]);
    expect(JSON.stringify(wire.requests)).not.toContain("afterContent");
    expect(await session.undo(["t3"])).toMatchObject({ conflicts: [] });
    expect(existsSync(join(place.path, "b.txt"))).toBe(false);
  } finally {
    await wire.close();
  }
});

describe("native shapes", () => {
  let tools: AnthropicTools;
  let calls = 0;

  beforeAll(() => {
    tools = anthropicTools(session, { native: ["bash", "text_editor"] });
  });

  const use = async (name: string, input: object): Promise<{ readonly text: string; readonly failed: boolean }> => {
    const result = await tools.dispatch({ id: `n${++calls}`, name, input });
    const parts = typeof result.content === "string" ? [] : (result.content ?? []);
    return { text: parts.map((part) => (part.type === "text" ? part.text : part.type)).join("\n"), failed: result.is_error === true };
  };
  const edit = (input: object): ReturnType<typeof use> => use("str_replace_based_edit_tool", input);

  it("stand in for ours", () => {
    expect(tools.tools.map((tool) => ("name" in tool ? tool.name : tool.type))).toEqual(["grep", "glob", "list", "bash", "str_replace_based_edit_tool"]);
    expect(tools.tools).toContainEqual({ type: "bash_20250124", name: "bash" });
    expect(tools.tools).toContainEqual({ type: "text_editor_20250728", name: "str_replace_based_edit_tool" });
  });

  it("bash runs in the sandbox, has nothing to restart, and needs a command", async () => {
    expect((await use("bash", { command: "echo hello" })).text).toContain("hello");
    expect(await use("bash", { restart: true })).toMatchObject({ failed: false, text: expect.stringContaining("fresh shell") });
    expect(await use("bash", {})).toMatchObject({ failed: true });
  });

  it("creates, views a range and a directory, and replaces", async () => {
    mkdirSync(join(place.path, "native"));
    expect(await edit({ command: "create", path: "native/a.txt", file_text: "one\ntwo\nthree\n" })).toMatchObject({ failed: false });
    expect((await edit({ command: "view", path: "native/a.txt", view_range: [2, 3] })).text).toContain("2\ttwo\n3\tthree");
    expect((await edit({ command: "view", path: "native/a.txt", view_range: [3, -1] })).text).toContain("3\tthree");
    expect((await edit({ command: "view", path: "native" })).text).toContain("a.txt");
    expect(await edit({ command: "str_replace", path: "native/a.txt", old_str: "two", new_str: "2" })).toMatchObject({ failed: false });
    expect(readFileSync(join(place.path, "native/a.txt"), "utf8")).toBe("one\n2\nthree\n");
    expect(await edit({ command: "view", path: "native/missing.txt" })).toMatchObject({ failed: true });
    expect(await edit({ command: "view", path: "native/a.txt", view_range: [3, 1] })).toMatchObject({ failed: true });
    expect(await edit({ command: "undo_edit", path: "native/a.txt" })).toMatchObject({ failed: true });
    expect(await edit({ command: "create", path: ".git/hooks/pre-commit", file_text: "x" })).toMatchObject({ failed: true });
  });

  it.each([
    ["at the start", "a\nb\n", 0, "x\na\nb\n"],
    ["behind the last line", "a\nb\n", 2, "a\nb\nx\n"],
    ["without a last line break", "a\nb", 2, "a\nb\nx"],
    ["among lines that repeat", "}\n\n}\n\n}\n", 3, "}\n\n}\nx\n\n}\n"],
    ["among empty lines", "\n\n\n", 1, "\nx\n\n\n"],
    ["into an empty file", "", 0, "x\n"],
    ["with CRLF", "a\r\nb\r\n", 1, "a\r\nx\r\nb\r\n"],
  ])("inserts %s", async (title, before, line, after) => {
    const path = `insert ${title}.txt`;
    writeFileSync(join(place.path, path), before);
    expect(await edit({ command: "insert", path, insert_line: line, insert_text: "x\n" })).toMatchObject({ failed: false });
    expect(readFileSync(join(place.path, path), "utf8")).toBe(after);
  });

  it("inserts nothing behind the end, nor next to a line too long to know", async () => {
    writeFileSync(join(place.path, "long.txt"), `${"y".repeat(5000)}\nz\n`);
    expect(await edit({ command: "insert", path: "long.txt", insert_line: 9, insert_text: "x" })).toMatchObject({ failed: true });
    expect(await edit({ command: "insert", path: "long.txt", insert_line: 1, insert_text: "x" })).toMatchObject({ failed: true });
    expect(readFileSync(join(place.path, "long.txt"), "utf8")).toBe(`${"y".repeat(5000)}\nz\n`);
  });
});
