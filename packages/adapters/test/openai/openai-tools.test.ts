import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { succeeded, type ToolResult } from "@fencepost/contract";
import { openSession, type AgentSession } from "@fencepost/core";
import { openAiTools } from "@fencepost/adapters/openai";
import { OpenAI } from "openai";
import { afterAll, beforeAll, expect, it } from "vitest";
import { realWorkspace } from "../doubles/real-workspace.ts";
import { startWire } from "../doubles/wire.ts";

const place = realWorkspace();
let session: AgentSession;

beforeAll(async () => {
  session = await openSession({ workspace: place.path });
  mkdirSync(join(place.path, "src"));
});

afterAll(() => session.close());

const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2, input_tokens_details: { cached_tokens: 0 }, output_tokens_details: { reasoning_tokens: 0 } };

function functionCall(id: string, name: string, input: object): object {
  return { type: "function_call", id: `fc_${id}`, call_id: id, name, arguments: JSON.stringify(input), status: "completed" };
}

function response(id: string, output: readonly object[]): object {
  return { id, object: "response", created_at: 0, status: "completed", model: "test", output, usage, error: null, incomplete_details: null, tools: [], parallel_tool_calls: true };
}

function chatCall(id: string, name: string, argumentsText: string): object {
  return { id, type: "function", function: { name, arguments: argumentsText } };
}

it("[T38] the Responses client drives the tools: strict definitions out, calls in, texts back, artifacts nowhere", async () => {
  writeFileSync(join(place.path, "src/a.ts"), "const limit = 10;\n");
  const wire = await startWire([
    response("1", [functionCall("call_1", "read", { path: "src/a.ts", offset: null, limit: null })]),
    response("2", [
      functionCall("call_2", "edit", { filePath: "src/a.ts", oldString: "10", newString: "20", replaceAll: null, sandboxPermissions: null, justification: null }),
      functionCall("call_3", "read", { path: "missing.ts", offset: null, limit: null }),
    ]),
    response("3", [{ type: "message", id: "m", role: "assistant", status: "completed", content: [{ type: "output_text", text: "done", annotations: [] }] }]),
  ]);
  try {
    const client = new OpenAI({ baseURL: wire.url, apiKey: "none", maxRetries: 0 });
    const tools = openAiTools(session);
    const whole: ToolResult[] = [];
    const input: OpenAI.Responses.ResponseInputItem[] = [{ role: "user", content: "raise the limit" }];
    for (let turn = 0; turn < 3; turn++) {
      const answer = await client.responses.create({ model: "test", input, tools: tools.responses });
      for (const item of answer.output) {
        if (item.type !== "function_call") continue;
        input.push(item, await tools.dispatch(item, { onResult: (result) => whole.push(result) }));
      }
    }
    expect(readFileSync(join(place.path, "src/a.ts"), "utf8")).toBe("const limit = 20;\n");
    expect(wire.requests[0]?.["tools"]).toContainEqual(expect.objectContaining({ type: "function", name: "edit", strict: true }));
    const sent = JSON.stringify(wire.requests);
    expect(sent).toContain("Edited src/a.ts");
    expect(sent).toContain("missing.ts does not exist");
    expect(sent).not.toContain("beforeContent");
    expect(whole.flatMap(({ artifacts }) => artifacts)).toHaveLength(1);
    expect(await session.undo(["call_2"])).toMatchObject({ changed: [join(place.path, "src/a.ts")] });
  } finally {
    await wire.close();
  }
});

it("[C5] [C6] the Chat client drives them too; broken JSON, an unknown tool and a repeated id are answers", async () => {
  const wire = await startWire([
    {
      id: "1",
      object: "chat.completion",
      created: 0,
      model: "test",
      choices: [{ index: 0, finish_reason: "tool_calls", logprobs: null, message: { role: "assistant", content: null, refusal: null, tool_calls: [chatCall("same", "list", "{\"path\":null}"), chatCall("same", "list", "{}"), chatCall("c", "read", "{broken"), chatCall("d", "nothing", "{}")] } }],
    },
  ]);
  try {
    const client = new OpenAI({ baseURL: wire.url, apiKey: "none", maxRetries: 0 });
    const tools = openAiTools(session);
    const answer = await client.chat.completions.create({ model: "test", messages: [{ role: "user", content: "look" }], tools: tools.chat });
    const results: OpenAI.Chat.ChatCompletionToolMessageParam[] = [];
    for (const toolCall of answer.choices[0]?.message.tool_calls ?? []) if (toolCall.type === "function") results.push(await tools.dispatch(toolCall));
    expect(results.map(({ tool_call_id: id }) => id)).toEqual(["same", "same", "c", "d"]);
    expect(results[0]?.content).toContain("src/");
    expect(results[1]?.content).toContain("src/");
    expect(results[2]?.content).toContain("JSON");
    expect(results[3]?.content).toContain("There is no tool");
  } finally {
    await wire.close();
  }
});

it("images go to the Responses API as images, to the Chat API as words", async () => {
  const image = { type: "image", mediaType: "image/png", data: "AAAA" } as const;
  const host = { definitions: [], cancel: () => false, call: async () => ({ ...succeeded("a picture"), content: [{ type: "text", text: "a picture" } as const, image] }) };
  const tools = openAiTools(host);
  expect(await tools.dispatch({ type: "function_call", call_id: "1", name: "look", arguments: "{}" })).toEqual({
    type: "function_call_output",
    call_id: "1",
    status: "completed",
    output: [
      { type: "input_text", text: "a picture" },
      { type: "input_image", image_url: "data:image/png;base64,AAAA" },
    ],
  });
  expect((await tools.dispatch({ id: "2", type: "function", function: { name: "look", arguments: "{}" } })).content).toBe("a picture\n[image image/png]");
});
