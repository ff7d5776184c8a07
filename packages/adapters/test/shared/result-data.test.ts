import { createValidator, resultText } from "@fencepost/contract";
import { openSession, type AgentSession } from "@fencepost/core";
import { builtinRegistry } from "@fencepost/tools";
import { afterAll, beforeAll, expect, it } from "vitest";
import { realWorkspace } from "../doubles/real-workspace.ts";

const place = realWorkspace();
let session: AgentSession;

beforeAll(async () => {
  session = await openSession({ workspace: place.path, tools: builtinRegistry().ids });
});

afterAll(() => session.close());

/** A success of every built-in tool, in an order in which each can succeed. */
const calls: readonly (readonly [toolId: string, input: object])[] = [
  ["write", { path: "a.txt", content: "one\ntwo\n" }],
  ["write", { path: "a.txt", content: "one\ntwo\n" }],
  ["read", { path: "a.txt" }],
  ["edit", { filePath: "a.txt", oldString: "two", newString: "2" }],
  ["grep", { pattern: "one" }],
  ["glob", { pattern: "*.txt" }],
  ["list", {}],
  ["apply_patch", { patch: "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n-one\n+1\n 2\n" }],
  ["rename_file", { from: "a.txt", to: "b.txt" }],
  ["read", { path: "b.txt" }],
  ["delete_file", { path: "b.txt" }],
  ["bash", { command: "exit 3" }],
  ["run_command_batch", { items: [{ command: "true" }, { command: "false" }] }],
  ["command_terminal_capabilities", {}],
  ["start_command", { command: "true" }],
  ["start_command", { command: "cat", acceptsInput: true, yieldTimeMs: 0 }],
  ["list_commands", {}],
  ["command_status", { taskId: "task-2" }],
  ["command_input", { taskId: "task-2", input: "hello\n" }],
  ["command_output", { taskId: "task-2", waitMs: 5000 }],
  ["cancel_command", { taskId: "task-2" }],
  ["command_input", { taskId: "task-2", input: "late\n" }],
];

it("every built-in tool promises its data as a schema and keeps it, and has something to show to people", async () => {
  const seen = new Set<string>();
  const faults: string[] = [];
  for (const [index, [toolId, input]] of calls.entries()) {
    const result = await session.call({ callId: `call-${index}`, toolId, input });
    expect(result.status, `${toolId}: ${resultText(result)}`).toBe("succeeded");
    const { resultSchema } = session.definitions.find(({ id }) => id === toolId) ?? {};
    const fault = resultSchema ? createValidator(resultSchema)(result.data) : "no schema";
    if (fault !== null) faults.push(`${toolId}: ${fault} ${JSON.stringify(result.data)}`);
    if (result.display === undefined && !resultText(result).includes("unchanged")) faults.push(`${toolId}: no display`);
    seen.add(toolId);
  }
  expect(faults).toEqual([]);
  // A terminal is there only where its optional package is installed.
  expect(session.definitions.map(({ id }) => id).filter((id) => !seen.has(id))).toEqual(["resize_command_pty"]);
});
