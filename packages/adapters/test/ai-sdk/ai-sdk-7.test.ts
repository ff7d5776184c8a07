import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openSession } from "@fencepost/core";
import { aiSdkTools, protocolApprover } from "@fencepost/adapters/ai-sdk";
import { generateText, stepCountIs, type ModelMessage, type ToolSet } from "ai-7";
import { MockLanguageModelV4 } from "ai-7/test";
import { expect, it, vi } from "vitest";
import { realWorkspace } from "../doubles/real-workspace.ts";

// The peer range has both: a project with AI SDK 7 has it under this name.
vi.mock("ai", () => import("ai-7"));

const place = realWorkspace();

const usage = { inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 }, outputTokens: { total: 1, text: 1, reasoning: 0 } };

type Generate = NonNullable<ConstructorParameters<typeof MockLanguageModelV4>[0]>["doGenerate"];
type Answer = Awaited<ReturnType<Extract<Generate, (...args: never[]) => unknown>>>;

function calls(toolCallId: string, toolName: string, input: object): Answer {
  return { content: [{ type: "tool-call", toolCallId, toolName, input: JSON.stringify(input) }], finishReason: { unified: "tool-calls", raw: undefined }, usage, warnings: [] };
}

function says(text: string): Answer {
  return { content: [{ type: "text", text }], finishReason: { unified: "stop", raw: undefined }, usage, warnings: [] };
}

/** Here the types name the other copy; the packed package is compiled with this one (scripts/check-packed.mjs). */
function ofThisCopy(tools: object): ToolSet {
  return Object.fromEntries(Object.entries(tools));
}

it("an agent of AI SDK 7 edits a real project, needs one approval, and is undone", async () => {
  const session = await openSession({ workspace: place.path, approver: protocolApprover });
  try {
    writeFileSync(join(place.path, "limit.mjs"), "export const limit = 10;\n");
    const grant = { sandboxPermissions: { paths: [{ path: ".env", access: "write", scope: "exact" }] }, justification: "The tests need A." };
    const model = new MockLanguageModelV4({
      doGenerate: [
        calls("c1", "read", { path: "limit.mjs" }),
        calls("c2", "edit", { filePath: "limit.mjs", oldString: "10", newString: "20" }),
        calls("c3", "bash", { command: "cat limit.mjs" }),
        calls("c4", "write", { path: ".env", content: "A=1\n", ...grant }),
        says("done"),
      ],
    });
    const tools = ofThisCopy(aiSdkTools(session));
    const messages: ModelMessage[] = [{ role: "user", content: "Raise the limit to 20." }];
    const first = await generateText({ model, tools, messages, stopWhen: stepCountIs(8) });
    messages.push(...first.responseMessages);
    const request = first.content.find((part) => part.type === "tool-approval-request");
    expect(existsSync(join(place.path, ".env"))).toBe(false);
    messages.push({ role: "tool", content: [{ type: "tool-approval-response", approvalId: request?.approvalId ?? "", approved: true }] });
    expect((await generateText({ model, tools, messages, stopWhen: stepCountIs(8) })).text).toBe("done");
    expect(readFileSync(join(place.path, ".env"), "utf8")).toBe("A=1\n");
    expect(JSON.stringify(model.doGenerateCalls.at(-1)?.prompt)).toContain("export const limit = 20;");
    expect(await session.undo(["c2", "c4"])).toMatchObject({ conflicts: [] });
    expect([readFileSync(join(place.path, "limit.mjs"), "utf8"), existsSync(join(place.path, ".env"))]).toEqual(["export const limit = 10;\n", false]);
  } finally {
    await session.close();
  }
});
