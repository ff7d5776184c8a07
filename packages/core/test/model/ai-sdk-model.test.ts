import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { failed, succeeded } from "@fencepost/contract";
import { afterEach, describe, expect, it } from "vitest";
import { deferred } from "../../src/async/deferred.ts";
import { aiSdkModel } from "../../src/model/ai-sdk/ai-sdk-model.ts";
import { retryAfterMs } from "../../src/model/ai-sdk/request-error.ts";
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
    expect((await session.prompt("go")).outcome).toMatchObject({ status: "failed", code: "model_error", message: expect.stringMatching(/^HTTP 401 from http:\/\/127\.0\.0\.1:\d+\/v1\/chat\/completions: bad key$/) });
    expect(requests).toHaveLength(4);
  });

  it("waits as long as a server asks for before it tries again, and no longer than a minute", () => {
    expect([asked({ "retry-after": "2" }), asked({ "retry-after-ms": "30" }), asked({ "retry-after": "3600" }), asked({ "retry-after": "Mon" }), asked({})]).toEqual([2_000, 30, undefined, undefined, undefined]);
    expect(retryAfterMs(new Error("other"))).toBeUndefined();
  });

  it.each<[number, string, string]>([
    [400, "application/json", JSON.stringify({ error: { message: "context too long" } })],
    [404, "application/json", JSON.stringify({ error: { message: "no model m" } })],
    [500, "text/html", "<html>\u001b[2JInternal error</html>"],
    [502, "text/plain", ""],
  ])("an answer with status %i and %s is a model error that names the status, and the next turn works", async (status, type, body) => {
    const answer: ServerAnswer = (response) => {
      response.writeHead(status, { "content-type": type });
      response.end(body);
    };
    const { session, toolset } = await driven([...Array.from({ length: status < 500 ? 1 : 3 }, () => answer), says("Here.")]);
    const { outcome } = await session.prompt("go");
    expect(outcome).toMatchObject({ status: "failed", code: "model_error", message: expect.stringContaining(`HTTP ${status} from`) });
    expect(toolset.executions).toEqual([]);
    expect((await session.prompt("again")).outcome).toEqual({ status: "completed", text: "Here." });
  });

  it.each<[string, ServerAnswer]>([
    [
      "a chunk that is no JSON",
      (response) => {
        head(response);
        chunk(response, { tool_calls: [{ index: 0, id: "c", type: "function", function: { name: "bash", arguments: '{"command":"ls"}' } }] });
        response.write("data: {broken\n\n");
        chunk(response, {}, "tool_calls");
        done(response);
      },
    ],
    [
      "a chunk of another shape",
      (response) => {
        head(response);
        response.write(`data: ${JSON.stringify({ choices: "none", pad: "x".repeat(10_000) })}\n\n`);
        done(response);
      },
    ],
    ["a page in place of a stream", (response) => void response.writeHead(200, { "content-type": "text/html" }).end("<html>Log in first</html>")],
    ["an answer in one piece", (response) => void response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ choices: [{ message: { content: "hi" }, finish_reason: "stop" }] }))],
    ["nothing at all", (response) => void response.writeHead(200, { "content-type": "text/event-stream" }).end()],
  ])("%s ends the turn, runs nothing, and its error is short", async (_what, answer) => {
    const { session, toolset } = await driven([answer, says("Here.")]);
    const { outcome } = await session.prompt("go");
    expect(outcome).toMatchObject({ status: "failed", code: expect.stringMatching(/^model_(protocol_)?error$/) });
    expect(JSON.stringify(outcome).length).toBeLessThan(2_500);
    expect(toolset.executions).toEqual([]);
    expect(brief(session.messages)).toEqual(["user:go"]);
    expect((await session.prompt("again")).outcome).toEqual({ status: "completed", text: "Here." });
  });

  it("arguments that are no JSON are the call's own fault: its result says so and the model goes on", async () => {
    const { session, server: { requests } } = await driven([calls({ name: "read", arguments: '{"path": a}' }, { name: "read", arguments: "" }), says("Sorry.")]);
    expect((await session.prompt("go")).outcome).toEqual({ status: "completed", text: "Sorry." });
    const sent = requests[1]?.messages ?? [];
    expect(sent.find(({ role }) => role === "assistant")?.tool_calls?.length).toBe(2);
    expect(brief(session.messages).filter((text) => text.startsWith("tool:"))).toContain("tool:error:invalid tool input: not JSON");
  });

  it("a server that is not there is named, without what may be a key", async () => {
    server = await openAiServer([]);
    const url = new URL(server.url);
    await server.close();
    const provider = createOpenAICompatible({ name: "local", baseURL: url.href, queryParams: { key: "secret" } });
    const { session } = await drivenSession(aiSdkModel(provider.chatModel("m"), { retryDelayMs: 1 }));
    const { outcome } = await session.prompt("go");
    expect(outcome).toMatchObject({ status: "failed", code: "model_error", message: expect.stringMatching(new RegExp(`^no answer from http://${url.host}/v1/chat/completions: .*ECONNREFUSED`)) });
    expect(JSON.stringify(outcome)).not.toContain("secret");
  });

  it("a slow stream is waited for as long as something comes", async () => {
    const { session } = await driven([slow], { drive: { idleTimeoutMs: 300 } });
    expect((await session.prompt("go")).outcome).toEqual({ status: "completed", text: "One by one." });
  });

  it("[C7] cancelling while a server lets wait, before its answer or between two tries, ends the turn at once", async () => {
    const reached = deferred<void>();
    const first = await driven([() => reached.resolve()]);
    const waiting = first.session.prompt("go");
    await reached.promise;
    first.session.cancelTurn();
    expect((await waiting).outcome).toEqual({ status: "cancelled" });
    await first.server.close();

    const busy = deferred<void>();
    const second = await driven([
      (response) => {
        response.writeHead(429, { "retry-after": "60" }).end();
        busy.resolve();
      },
    ]);
    const retrying = second.session.prompt("go");
    await busy.promise;
    await new Promise((resolve) => setTimeout(resolve, 50));
    second.session.cancelTurn();
    expect((await retrying).outcome).toEqual({ status: "cancelled" });
    expect(second.server.requests).toHaveLength(1);
  });

  it("keeps the whole usage: input, cached input, output, reasoning", async () => {
    const { session } = await driven([
      (response) => {
        head(response);
        chunk(response, { content: "Hi" });
        chunk(response, {}, "stop", {
          usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120, prompt_tokens_details: { cached_tokens: 64 }, completion_tokens_details: { reasoning_tokens: 12 } },
        });
        done(response);
      },
    ]);
    await session.prompt("hi");
    expect(session.messages.at(-1)).toMatchObject({ usage: { inputTokens: 100, cachedInputTokens: 64, outputTokens: 20, reasoningTokens: 12 } });
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

const slow: ServerAnswer = async (response) => {
  head(response);
  for (const word of ["One", " by", " one."]) {
    await new Promise((resolve) => setTimeout(resolve, 120));
    chunk(response, { content: word });
  }
  chunk(response, {}, "stop");
  done(response);
};

function asked(headers: Record<string, string>): number | undefined {
  return retryAfterMs(Object.assign(new Error("slow down"), { url: "http://m/v1", responseHeaders: headers }));
}
