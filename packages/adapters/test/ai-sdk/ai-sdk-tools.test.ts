import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openSession, type AgentSession, type PermissionRequest } from "@fencepost/core";
import { aiSdkTools, protocolApprover } from "@fencepost/adapters/ai-sdk";
import { generateText, simulateReadableStream, stepCountIs, streamText, type ModelMessage } from "ai";
import { MockLanguageModelV3 } from "ai/test";
import { afterAll, beforeAll, expect, it } from "vitest";
import { realWorkspace } from "../doubles/real-workspace.ts";

const place = realWorkspace();
let session: AgentSession;

beforeAll(async () => {
  session = await openSession({ workspace: place.path, approver: protocolApprover });
});

afterAll(() => session.close());

const usage = { inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 }, outputTokens: { total: 1, text: 1, reasoning: 0 } };

type Generate = NonNullable<ConstructorParameters<typeof MockLanguageModelV3>[0]>["doGenerate"];
type Answer = Awaited<ReturnType<Extract<Generate, (...args: never[]) => unknown>>>;

function calls(...named: readonly (readonly [id: string, name: string, input: object])[]): Answer {
  return {
    content: named.map(([toolCallId, toolName, input]) => ({ type: "tool-call", toolCallId, toolName, input: JSON.stringify(input) })),
    finishReason: { unified: "tool-calls", raw: undefined },
    usage,
    warnings: [],
  };
}

type Streamed = NonNullable<ConstructorParameters<typeof MockLanguageModelV3>[0]>["doStream"];
type Part = Awaited<ReturnType<Extract<Streamed, (...args: never[]) => unknown>>>["stream"] extends ReadableStream<infer Each> ? Each : never;

function step(...chunks: Part[]): { stream: ReadableStream<Part> } {
  return { stream: simulateReadableStream({ chunks }) };
}

function says(text: string): Answer {
  return { content: [{ type: "text", text }], finishReason: { unified: "stop", raw: undefined }, usage, warnings: [] };
}

const escalated = (path: string): object => ({
  path,
  content: "A=1\n",
  sandboxPermissions: { paths: [{ path, access: "write", scope: "exact" }] },
  justification: "The tests need A.",
});

it("an agent edits a real project, needs one approval, and is undone", async () => {
  mkdirSync(join(place.path, "project/src"), { recursive: true });
  writeFileSync(join(place.path, "project/src/limit.mjs"), "export const limit = 10;\n");
  writeFileSync(join(place.path, "project/test.mjs"), 'import { limit } from "./src/limit.mjs";\nif (limit !== 20) process.exit(1);\nconsole.log("passed");\n');
  const model = new MockLanguageModelV3({
    doGenerate: [
      calls(["p1", "read", { path: "project/src/limit.mjs" }]),
      calls(["p2", "edit", { filePath: "project/src/limit.mjs", oldString: "10", newString: "20" }]),
      calls(["p3", "bash", { command: "node project/test.mjs" }], ["p4", "write", escalated("project/.env")]),
      says("done"),
    ],
  });
  const cards: PermissionRequest[] = [];
  const tools = aiSdkTools(session, { onQuestion: ({ card }) => cards.push(card) });
  const messages: ModelMessage[] = [{ role: "user", content: "Raise the limit to 20." }];
  const first = await generateText({ model, tools, messages, stopWhen: stepCountIs(8) });
  messages.push(...first.response.messages);
  const request = first.content.find((part) => part.type === "tool-approval-request");
  expect(request?.toolCall.toolCallId).toBe("p4");
  expect(cards.map(({ paths }) => paths[0]?.path)).toEqual([join(place.path, "project/.env")]);
  expect(existsSync(join(place.path, "project/.env"))).toBe(false);

  messages.push({ role: "tool", content: [{ type: "tool-approval-response", approvalId: request?.approvalId ?? "", approved: true }] });
  const second = await generateText({ model, tools, messages, stopWhen: stepCountIs(8) });
  expect(second.text).toBe("done");
  expect(readFileSync(join(place.path, "project/.env"), "utf8")).toBe("A=1\n");
  expect(readFileSync(join(place.path, "project/src/limit.mjs"), "utf8")).toBe("export const limit = 20;\n");
  expect(cards).toHaveLength(1);
  const prompts = JSON.stringify(model.doGenerateCalls.map(({ prompt }) => prompt));
  expect(prompts).toContain("passed");
  // [T38] Nor in anything a model is sent.
  expect(prompts).not.toContain("beforeContent");

  expect(await session.undo(["p2", "p4"])).toMatchObject({ conflicts: [] });
  expect(existsSync(join(place.path, "project/.env"))).toBe(false);
  expect(readFileSync(join(place.path, "project/src/limit.mjs"), "utf8")).toBe("export const limit = 10;\n");
});

it("a no of the person runs nothing, and the model is told", async () => {
  const model = new MockLanguageModelV3({ doGenerate: [calls(["n1", "write", escalated("no/.env")]), says("understood")] });
  const tools = aiSdkTools(session);
  const messages: ModelMessage[] = [{ role: "user", content: "go" }];
  const first = await generateText({ model, tools, messages });
  messages.push(...first.response.messages);
  const request = first.content.find((part) => part.type === "tool-approval-request");
  messages.push({ role: "tool", content: [{ type: "tool-approval-response", approvalId: request?.approvalId ?? "", approved: false, reason: "not now" }] });
  expect((await generateText({ model, tools, messages })).text).toBe("understood");
  expect(existsSync(join(place.path, "no"))).toBe(false);
  expect(JSON.stringify(model.doGenerateCalls[1]?.prompt)).toContain("not now");
});

it("[P19] whoever calls execute without a person's yes in the conversation gets a refusal", async () => {
  const tools = aiSdkTools(session);
  const outputs: unknown[] = [];
  const input = escalated("unasked/.env");
  const stream = tools["write"]?.execute?.(input, { toolCallId: "x1", messages: [] });
  if (typeof stream !== "object" || !(Symbol.asyncIterator in stream)) throw new Error("no stream");
  for await (const output of stream) outputs.push(output);
  expect(outputs.at(-1)).toMatchObject({ status: "denied", failed: true });
  expect(existsSync(join(place.path, "unasked"))).toBe(false);
});

it("with approvals in the session the session's approver is asked, in the middle of the call", async () => {
  const cards: PermissionRequest[] = [];
  const own = await openSession({
    workspace: place.path,
    approver: {
      decide: async (card) => {
        cards.push(card);
        return "allow";
      },
    },
  });
  try {
    const model = new MockLanguageModelV3({ doGenerate: [calls(["s1", "write", escalated("own/.env")]), says("done")] });
    await generateText({ model, tools: aiSdkTools(own, { approvals: "session" }), prompt: "go", stopWhen: stepCountIs(3) });
    expect(cards).toHaveLength(1);
    expect(existsSync(join(place.path, "own/.env"))).toBe(true);
  } finally {
    await own.close();
  }
});

it("streamText shows what a command says while it runs, and its failure is an error text to the model", async () => {
  const model = new MockLanguageModelV3({
    doStream: [
      step(
        { type: "tool-call", toolCallId: "w1", toolName: "bash", input: JSON.stringify({ command: "echo first; sleep 0.4; echo second" }) },
        { type: "tool-call", toolCallId: "w2", toolName: "read", input: JSON.stringify({ path: "nowhere.txt" }) },
        { type: "finish", finishReason: { unified: "tool-calls", raw: undefined }, usage },
      ),
      step({ type: "text-start", id: "1" }, { type: "text-delta", id: "1", delta: "ok" }, { type: "text-end", id: "1" }, { type: "finish", finishReason: { unified: "stop", raw: undefined }, usage }),
    ],
  });
  const result = streamText({ model, tools: aiSdkTools(session), prompt: "go", stopWhen: stepCountIs(3) });
  const preliminary: string[] = [];
  for await (const part of result.fullStream) {
    if (part.type === "tool-result" && part.preliminary === true && part.toolCallId === "w1") preliminary.push(JSON.stringify(part.output));
  }
  expect(preliminary[0]).toBe(JSON.stringify({ status: "running", text: "first\n" }));
  const prompt = JSON.stringify(model.doStreamCalls[1]?.prompt);
  expect(prompt).toContain("second");
  expect(prompt).toContain('"type":"error-text","value":"nowhere.txt does not exist');
});

it("[C7] an aborted generation ends the command it waits for", async () => {
  const model = new MockLanguageModelV3({ doGenerate: [calls(["a1", "bash", { command: "touch started; sleep 30; touch ended" }]), says("done")] });
  const controller = new AbortController();
  const running = generateText({ model, tools: aiSdkTools(session), prompt: "go", abortSignal: controller.signal, stopWhen: stepCountIs(3) }).catch(() => "aborted");
  while (!existsSync(join(place.path, "started"))) await new Promise((resolve) => setTimeout(resolve, 20));
  controller.abort();
  expect(await running).toBe("aborted");
  expect(existsSync(join(place.path, "ended"))).toBe(false);
});
