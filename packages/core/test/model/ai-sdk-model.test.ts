import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { failed, succeeded } from "@fencepost/contract";
import { afterEach, describe, expect, it } from "vitest";
import { deferred } from "../../src/async/deferred.ts";
import { aiSdkModel } from "../../src/model/ai-sdk/ai-sdk-model.ts";
import type { ModelPort } from "../../src/model/model-port.ts";
import { brief, drivenSession, type DrivenOptions, type DrivenSession } from "../doubles/driven-session.ts";
import { calls, chunk, done, fails, head, openAiServer, says, type OpenAiServer, type ServerAnswer } from "../doubles/openai-server.ts";
import { scriptedToolset } from "../doubles/scripted-toolset.ts";

let server: OpenAiServer | undefined;

afterEach(async () => {
  await server?.close();
});

async function driven(answers: readonly ServerAnswer[], options: DrivenOptions = {}): Promise<DrivenSession & { readonly server: OpenAiServer }> {
  server = await openAiServer(answers);
  return { ...(await drivenSession(modelOf(server), options)), server };
}

function modelOf({ url }: OpenAiServer): ModelPort {
  const provider = createOpenAICompatible({ name: "local", baseURL: url, apiKey: "test", includeUsage: true });
  return aiSdkModel(provider.chatModel("m"), { retryDelayMs: 5 });
}

describe("the AI SDK port against an OpenAI-compatible server", () => {
  it("[C1] streams text as it comes, with the usage", async () => {
    const { session, log } = await driven([says("Hello over there.")]);
    expect((await session.prompt("hi")).outcome).toEqual({ status: "completed", text: "Hello over there." });
    expect(log.flatMap((event) => (event.type === "text_delta" ? [event.text] : []))).toEqual(["Hello", " over", " there."]);
    expect(session.messages.at(-1)).toMatchObject({ usage: { inputTokens: 7, outputTokens: 3 } });
  });

  it("[C2] [C3] [T1] [T38] runs the calls it streams and sends their results back, without artifacts; advertised is what can be called", async () => {
    const toolset = scriptedToolset([
      { id: "read", run: (input) => succeeded(`content of ${String(input["path"])}`, { artifacts: [{ kind: "secret", payload: "for people" }] }) },
      { id: "fail", run: () => failed("execution_failed", "no luck") },
    ]);
    const answers = [calls({ name: "read", arguments: '{"path":"a"}' }, { name: "fail", arguments: "{}" }, { name: "read", arguments: '{"path"' }), says("Done.")];
    const { session, server: { requests } } = await driven(answers, { toolset });
    expect((await session.prompt("go")).outcome).toEqual({ status: "completed", text: "Done." });
    expect(requests[0]?.tools?.map((tool) => tool.function.name)).toEqual(session.definitions.map(({ id }) => id));
    const sent = requests[1]?.messages ?? [];
    expect(sent.map(({ role }) => role)).toEqual(["system", "user", "user", "assistant", "tool", "tool", "tool"]);
    expect(sent.slice(4).map(({ content }) => content)).toEqual(["content of a", "no luck", "invalid tool input: not JSON"]);
    const ids = (sent[3]?.tool_calls ?? []).map(({ id }) => id);
    expect(sent.slice(4).map(({ tool_call_id: id }) => id)).toEqual(ids);
    expect(new Set(ids).size).toBe(3);
    expect(JSON.stringify(requests)).not.toContain("for people");
    expect(String(sent[1]?.content)).toContain("<session_state>");
  });

  it("a call id that the server uses again in a later response is no reuse", async () => {
    const { session } = await driven([calls({ name: "read", arguments: '{"path":"a"}' }), calls({ name: "read", arguments: '{"path":"b"}' }), says("Done.")]);
    expect((await session.prompt("go")).outcome.status).toBe("completed");
    expect(brief(session.messages).filter((text) => text.startsWith("tool:success"))).toHaveLength(2);
  });

  it.each<[string, ServerAnswer]>([
    [
      "in the middle of a text",
      (response) => {
        head(response);
        chunk(response, { content: "I was about to" });
        response.end();
      },
    ],
    [
      "in the middle of a call's arguments",
      (response) => {
        head(response);
        chunk(response, { tool_calls: [{ index: 0, id: "c", type: "function", function: { name: "bash", arguments: '{"command":"rm' } }] });
        response.end();
      },
    ],
    [
      "after a whole call",
      (response) => {
        head(response);
        chunk(response, { tool_calls: [{ index: 0, id: "c", type: "function", function: { name: "bash", arguments: '{"command":"ls"}' } }] });
        response.end();
      },
    ],
    [
      "by a broken connection",
      (response) => {
        head(response);
        chunk(response, { tool_calls: [{ index: 0, id: "c", type: "function", function: { name: "bash", arguments: '{"command":"ls"}' } }] });
        setImmediate(() => response.destroy());
      },
    ],
  ])("a stream that is cut %s runs nothing and leaves no draft", async (_where, answer) => {
    const { session, toolset } = await driven([answer, says("Again.")]);
    const { outcome } = await session.prompt("go");
    expect(outcome.status === "failed" ? outcome.code : outcome.status).toMatch(/^model_(protocol_)?error$/);
    expect(toolset.executions).toEqual([]);
    expect(brief(session.messages)).toEqual(["user:go"]);
    expect((await session.prompt("again")).outcome).toEqual({ status: "completed", text: "Again." });
  });

  it("tries again when the server is overloaded, and reports an error that will not pass", async () => {
    const { session, server: { requests } } = await driven([fails(503, "overloaded"), fails(429, "slow down"), says("Here."), fails(401, "bad key")]);
    expect((await session.prompt("go")).outcome).toEqual({ status: "completed", text: "Here." });
    expect(requests).toHaveLength(3);
    expect((await session.prompt("go")).outcome).toMatchObject({ status: "failed", code: "model_error", message: "bad key" });
    expect(requests).toHaveLength(4);
  });

  it("[C7] cancelling a slow stream ends the turn at once and closes the connection", async () => {
    const streaming = deferred<void>();
    const closed = deferred<void>();
    const { session, log } = await driven([
      (response) => {
        head(response);
        chunk(response, { content: "Slowly" });
        response.on("close", () => closed.resolve());
        streaming.resolve();
      },
    ]);
    const turn = session.prompt("go");
    await streaming.promise;
    while (!log.some((event) => event.type === "text_delta")) await new Promise((resolve) => setImmediate(resolve));
    session.cancelTurn();
    expect((await turn).outcome).toEqual({ status: "cancelled" });
    await closed.promise;
  });

  it("a stream that stalls ends the turn as a model error", async () => {
    const { session } = await driven([(response) => head(response)], { drive: { idleTimeoutMs: 100 } });
    expect((await session.prompt("go")).outcome).toMatchObject({ status: "failed", code: "model_error", message: expect.stringContaining("said nothing") });
  });

  it("a call that the output limit cut off is not run", async () => {
    const { session, toolset } = await driven([cut, says("Ok.")]);
    expect((await session.prompt("go")).outcome.status).toBe("completed");
    expect(toolset.executions).toEqual([]);
    expect(brief(session.messages)[2]).toContain("cut off by the output limit");
  });

  it("an error inside the stream is the model's", async () => {
    const { session } = await driven([broken]);
    expect((await session.prompt("go")).outcome).toMatchObject({ status: "failed", code: "model_error", message: expect.stringContaining("gpu lost") });
  });
});

const cut: ServerAnswer = (response) => {
  head(response);
  chunk(response, { tool_calls: [{ index: 0, id: "c", type: "function", function: { name: "bash", arguments: '{"command":"ls"}' } }] });
  chunk(response, {}, "length");
  done(response);
};

const broken: ServerAnswer = (response) => {
  head(response);
  response.write(`data: ${JSON.stringify({ error: { message: "gpu lost", type: "server_error" } })}\n\n`);
  done(response);
};
