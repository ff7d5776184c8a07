import { failed, resultText, succeeded, toolStatuses } from "@fencepost/contract";
import { describe, expect, it } from "vitest";
import { deferred } from "../../src/async/deferred.ts";
import type { ModelEvent, ModelPort } from "../../src/model/model-port.ts";
import { createMemoryStore } from "../../src/store/memory-store.ts";
import type { SessionStore } from "../../src/store/session-store.ts";
import { brief, drivenSession } from "../doubles/driven-session.ts";
import { gitGrant, scriptedApprover } from "../doubles/scripted-session.ts";
import { scriptedToolset } from "../doubles/scripted-toolset.ts";

const read = (path: string) => ({ toolId: "read", input: { path } });
const escalated = { toolId: "bash", input: { command: "git commit", sandboxPermissions: gitGrant, justification: "to commit" } };

describe("a turn", () => {
  it("[C1] asks the model once where it wants no tool", async () => {
    const { session, requests } = await drivenSession([{ text: "Hello there." }]);
    const { outcome } = await session.prompt("hi");
    expect(outcome).toEqual({ status: "completed", text: "Hello there." });
    expect(requests).toHaveLength(1);
  });

  it("[C2] [C3] stores call, result and answer in order, and sends the results in the model's order", async () => {
    const { session, store, requests } = await drivenSession([{ text: "Looking.", calls: [read("a"), read("b")] }, { text: "Done." }]);
    await session.prompt("look");
    const expected = ["user:look", "assistant:Looking.+read+read", "tool:success:read done", "tool:success:read done"];
    expect(brief(requests[1] ?? [])).toEqual(expected);
    expect(brief((await store.messages("session")).map(({ message }) => message))).toEqual([...expected, "assistant:Done."]);
    const sent = requests[1]?.filter((message) => message.role === "tool").map((message) => message.modelCallId);
    expect(sent).toEqual(["call_0", "call_1"]);
  });

  it("[C4] [C5] [T4] unknown tools, bad arguments and failures become results, and the model is asked again", async () => {
    const toolset = scriptedToolset([{ id: "read", run: () => failed("execution_failed", "disk on fire") }]);
    const { session, requests } = await drivenSession(
      [{ calls: [{ toolId: "fly", input: {} }, { toolId: "read", input: "{broken" }, { toolId: "read", input: { bad: 1 } }, read("a")] }, { text: "I see." }],
      { toolset },
    );
    expect((await session.prompt("go")).outcome.status).toBe("completed");
    expect(brief(requests[1] ?? []).slice(2)).toEqual([
      "tool:error:There is no tool fly.",
      "tool:error:invalid tool input: not JSON",
      "tool:error:invalid tool input: unknown field `bad`",
      "tool:error:disk on fire",
    ]);
  });

  it("[C6] [C13] a user's no ends the turn, and the rest of the batch is cancelled in order", async () => {
    const { session, toolset, requests, store } = await drivenSession([{ calls: [read("a"), escalated, read("b"), read("c")] }], { parts: { approver: scriptedApprover("deny") } });
    expect((await session.prompt("go")).outcome).toMatchObject({ status: "failed", code: "permission_denied" });
    expect(requests).toHaveLength(1);
    expect(toolset.executions).toHaveLength(1);
    const terminated = "tool:interrupted:tool was not executed because the turn already terminated";
    const stored = brief((await store.messages("session")).map(({ message }) => message));
    expect(stored.slice(2)).toEqual(["tool:success:read done", expect.stringMatching(/^tool:denied:The user denied/), terminated, terminated]);
    expect(session.records).toHaveLength(4);
  });

  it("[C6] a refusal by rule does not end the turn", async () => {
    const { session, requests } = await drivenSession([{ calls: [{ toolId: "write", input: { path: ".git/hooks/x" } }] }, { text: "Understood." }]);
    expect((await session.prompt("go")).outcome.status).toBe("completed");
    expect(brief(requests[1] ?? []).at(-1)).toContain("tool:denied:[sandbox:");
  });

  it("[C7] [T11] cancelling while the model streams discards the draft and runs nothing", async () => {
    const streaming = deferred<void>();
    const model: ModelPort = {
      id: "slow",
      async *stream(): AsyncGenerator<ModelEvent> {
        yield { type: "text", text: "I will" };
        yield { type: "tool_call", modelCallId: "1", toolId: "read", input: "{}" };
        streaming.resolve();
        // Ignores its signal.
        await new Promise(() => undefined);
      },
    };
    const { session, toolset, store } = await drivenSession(model);
    const turn = session.prompt("go");
    await streaming.promise;
    expect(session.cancelTurn()).toBe(true);
    expect((await turn).outcome).toEqual({ status: "cancelled" });
    expect(session.cancelTurn()).toBe(false);
    expect(toolset.executions).toEqual([]);
    expect(brief((await store.messages("session")).map(({ message }) => message))).toEqual(["user:go"]);
  });

  it("[C7] cancelling while a card waits, or while a tool runs, gives every call of the batch its result", async () => {
    const asked = deferred<void>();
    const waiting = await drivenSession([{ calls: [escalated, read("a")] }], {
      parts: {
        approver: {
          decide: () => {
            asked.resolve();
            return new Promise(() => undefined);
          },
        },
      },
    });
    const first = waiting.session.prompt("go");
    await asked.promise;
    waiting.session.cancelTurn();
    expect((await first).outcome).toEqual({ status: "cancelled" });
    expect(brief(waiting.session.messages).slice(2)).toEqual([expect.stringMatching(/^tool:interrupted:The call was cancelled while/), expect.stringMatching(/^tool:interrupted:tool was not executed/)]);

    const started = deferred<void>();
    const toolset = scriptedToolset([
      {
        id: "read",
        run: (_input, call) => {
          started.resolve();
          return new Promise((resolve) => call.signal.addEventListener("abort", () => resolve(failed("cancelled", "[cancelled]"))));
        },
      },
    ]);
    const running = await drivenSession([{ calls: [read("a"), read("b")] }], { toolset });
    const second = running.session.prompt("go");
    await started.promise;
    running.session.cancelTurn();
    expect((await second).outcome).toEqual({ status: "cancelled" });
    expect(toolset.executions).toHaveLength(1);
    expect(brief(running.session.messages).slice(2)).toEqual(["tool:interrupted:[cancelled]", expect.stringMatching(/^tool:interrupted:tool was not executed/)]);
  });

  it("[C8] the second identical call in a row is reminded, the third is not run and ends the turn", async () => {
    const spellings = ['{"path":"a","limit":1}', '{ "limit": 1, "path": "a" }', { path: "a", limit: 1 }];
    const { session, toolset } = await drivenSession(spellings.map((input) => ({ calls: [{ toolId: "read", input }] })));
    expect((await session.prompt("go")).outcome).toMatchObject({ status: "failed", code: "doom_loop" });
    expect(toolset.executions).toHaveLength(2);
    const results = brief(session.messages).filter((text) => text.startsWith("tool:"));
    expect(results[0]).toBe("tool:success:read done");
    expect(results[1]).toContain("[reminder: this read call is the same as the one before.");
    expect(results[2]).toContain("3 times in a row");
  });

  it("[C8] polling tools and calls with something between them are no loop", async () => {
    const poll = { toolId: "command_status", input: { taskId: "1" } };
    const toolset = scriptedToolset([{ id: "read" }, { id: "command_status" }]);
    const calls = [poll, poll, poll, poll, read("a"), read("b"), read("a"), read("b"), read("a")];
    const { session } = await drivenSession([...calls.map((call) => ({ calls: [call] })), { text: "Done." }], { toolset });
    expect((await session.prompt("go")).outcome.status).toBe("completed");
    expect(toolset.executions).toHaveLength(9);
  });

  it("[C9] ends at the limit of model calls, with the last calls answered", async () => {
    const { session, toolset, requests } = await drivenSession(Array.from({ length: 9 }, (_, index) => ({ calls: [read(String(index))] })), { drive: { maxModelCalls: 3 } });
    expect((await session.prompt("go")).outcome).toMatchObject({ status: "failed", code: "max_model_calls" });
    expect([requests.length, toolset.executions.length]).toEqual([3, 3]);
    expect(session.messages.at(-1)?.role).toBe("tool");
  });

  it("[C10] a trace that always fails changes nothing", async () => {
    const trace = [
      {
        record: () => {
          throw new Error("no disk");
        },
      },
      { record: () => Promise.reject(new Error("no network")) },
    ];
    const { session } = await drivenSession([{ calls: [read("a")] }, { text: "Done." }], { parts: { trace } });
    expect((await session.prompt("go")).outcome).toEqual({ status: "completed", text: "Done." });
  });

  it("[C11] where the assistant's message cannot be stored, no tool runs", async () => {
    const store = failingStore((role) => role === "assistant");
    const { session, toolset } = await drivenSession([{ calls: [read("a")] }], { store });
    expect((await session.prompt("go")).outcome).toMatchObject({ status: "failed", code: "persistence_error" });
    expect(toolset.executions).toEqual([]);
  });

  it("[C11] where a result cannot be stored, nothing more runs, and the next request says that it is missing", async () => {
    let broken = true;
    const store = failingStore((role) => broken && role === "tool");
    const { session, toolset, requests } = await drivenSession([{ calls: [read("a"), read("b")] }, { text: "Ok." }], { store });
    expect((await session.prompt("go")).outcome).toMatchObject({ status: "failed", code: "persistence_error" });
    expect(toolset.executions).toHaveLength(1);
    broken = false;
    await session.prompt("again");
    expect(brief(requests[1] ?? [])).toEqual(["user:go", "assistant:+read+read", expect.stringMatching(/^tool:interrupted:The session ended/), expect.stringMatching(/^tool:interrupted:/), "user:again"]);
    expect(brief(session.messages).filter((text) => text.startsWith("tool:"))).toEqual([]);
  });

  it("[C11] [C13] where the store fails in a batch, each further call still gets its result and its record, and none is stored behind the gap", async () => {
    let left = 1;
    const store = failingStore((role) => role === "tool" && (left -= 1) < 0 && left > -2);
    const { session, toolset, log } = await drivenSession([{ calls: [read("a"), read("b"), read("c")] }], { store });
    expect((await session.prompt("go")).outcome).toMatchObject({ status: "failed", code: "persistence_error" });
    expect(toolset.executions).toHaveLength(2);
    expect(session.records).toHaveLength(3);
    const finished = log.flatMap((event) => (event.type === "tool_call_finished" ? [resultText(event.result)] : []));
    expect(finished).toEqual(["read done", "read done", "tool was not executed because the turn already terminated"]);
    expect(session.events.snapshot.calls).toEqual([]);
    expect(brief((await store.messages("session")).map(({ message }) => message)).filter((text) => text.startsWith("tool:"))).toEqual(["tool:success:read done"]);
  });

  it("[C11] a turn whose end could not be stored does not keep the next one out", async () => {
    const store = createMemoryStore();
    let failures = 1;
    const failing: SessionStore = { ...store, endTurn: (turnId, outcome) => ((failures -= 1) >= 0 ? Promise.reject(new Error("disk full")) : store.endTurn(turnId, outcome)) };
    const { session } = await drivenSession([{ text: "One." }, { text: "Two." }], { store: failing });
    expect((await session.prompt("a")).outcome).toMatchObject({ status: "failed", code: "persistence_error" });
    expect((await session.prompt("b")).outcome).toEqual({ status: "completed", text: "Two." });
    expect((await store.turns("session")).map(({ outcome }) => outcome?.status)).toEqual(["failed", "completed"]);
  });

  it("[C14] a second prompt is busy; the same request id is the same turn, also when it has ended", async () => {
    const { session, requests } = await drivenSession([{ text: "One." }, { text: "Two." }]);
    const [first, same, other] = await Promise.all([session.prompt("a", { requestId: "r1" }), session.prompt("a", { requestId: "r1" }), session.prompt("b")]);
    expect(same).toEqual(first);
    expect(other.outcome).toMatchObject({ status: "failed", code: "busy" });
    expect(await session.prompt("a", { requestId: "r1" })).toEqual(first);
    expect(requests).toHaveLength(1);
    expect((await session.prompt("b", { requestId: "r2" })).outcome).toEqual({ status: "completed", text: "Two." });
  });

  it("[C15] a batch that only reads runs in parallel where the host wants it, with results in the model's order", async () => {
    const both = deferred<void>();
    let open = 0;
    const toolset = scriptedToolset([
      {
        id: "read",
        run: async (input) => {
          if ((open += 1) === 2) both.resolve();
          await both.promise;
          return succeeded(`read ${String(input["path"])}`);
        },
      },
    ]);
    const { session } = await drivenSession([{ calls: [read("a"), read("b")] }, { text: "Done." }], { toolset, drive: { parallelReadOnly: true } });
    await session.prompt("go");
    expect(brief(session.messages).slice(2, 4)).toEqual(["tool:success:read a", "tool:success:read b"]);
  });

  it.each([
    ["a call that writes", [read("a"), { toolId: "write", input: { path: "x" } }]],
    ["an invalid call", [read("a"), { toolId: "read", input: { bad: true } }]],
    ["an unknown tool", [read("a"), { toolId: "fly", input: {} }]],
    ["two identical calls", [read("a"), read("a")]],
    ["a call of the session's own", [read("a"), { toolId: "update_plan", input: { plan: [] } }]],
  ])("[C15] %s makes the whole batch serial", async (_what, calls) => {
    let open = 0;
    let most = 0;
    const run = async () => {
      most = Math.max(most, (open += 1));
      await new Promise((resolve) => setImmediate(resolve));
      open -= 1;
      return succeeded("ok");
    };
    const toolset = scriptedToolset([
      { id: "read", run },
      { id: "write", risk: "workspace_mutation", facts: () => ({ kind: "writes", targets: ["x"] }), run },
    ]);
    const { session } = await drivenSession([{ calls: [...calls, read("z")] }, { text: "Done." }], { toolset, drive: { parallelReadOnly: true } });
    expect((await session.prompt("go")).outcome.status).toBe("completed");
    expect(most).toBe(1);
  });

  it("a call that is the same as an earlier one of its response is not run again", async () => {
    const { session, toolset } = await drivenSession([{ calls: [read("a"), read("a"), read("b")] }, { text: "Done." }]);
    await session.prompt("go");
    expect(toolset.executions.map((execution) => execution.input)).toEqual([{ path: "a" }, { path: "b" }]);
    expect(brief(session.messages)[3]).toContain("same as an earlier one of the same response");
  });

  it("a response cut off by the output limit runs what only reads and nothing that changes", async () => {
    const { session, toolset } = await drivenSession([
      { calls: [read("a"), { toolId: "write", input: { path: "x" } }, { toolId: "bash", input: '{"command":"rm -rf' }], finish: "length" },
      { text: "Done." },
    ]);
    expect((await session.prompt("go")).outcome.status).toBe("completed");
    expect(toolset.executions.map((execution) => execution.toolId)).toEqual(["read"]);
    expect(brief(session.messages).filter((text) => text.includes("cut off by the output limit"))).toHaveLength(2);
  });

  it.each<[string, readonly ModelEvent[]]>([
    ["cut off", [{ type: "text", text: "I" }, { type: "tool_call", modelCallId: "1", toolId: "read", input: "{}" }]],
    ["doubled", [{ type: "tool_call", modelCallId: "1", toolId: "read", input: "{}" }, { type: "finish", reason: "tool_calls" }, { type: "finish", reason: "tool_calls" }]],
    ["continued after its end", [{ type: "finish", reason: "stop" }, { type: "tool_call", modelCallId: "1", toolId: "read", input: "{}" }]],
    ["with one call id twice", [{ type: "tool_call", modelCallId: "1", toolId: "read", input: "{}" }, { type: "tool_call", modelCallId: "1", toolId: "read", input: "{}" }, { type: "finish", reason: "stop" }]],
  ])("a stream that is %s is discarded and runs no tool", async (_what, stream) => {
    const model: ModelPort = {
      id: "broken",
      async *stream() {
        yield* stream;
      },
    };
    const { session, toolset } = await drivenSession(model);
    expect((await session.prompt("go")).outcome).toMatchObject({ status: "failed", code: "model_protocol_error" });
    expect(toolset.executions).toEqual([]);
    expect(brief(session.messages)).toEqual(["user:go"]);
  });

  it("a model that fails or says nothing ends the turn, and the next turn works", async () => {
    let requests = 0;
    const model: ModelPort = {
      id: "moody",
      async *stream(): AsyncGenerator<ModelEvent> {
        requests += 1;
        if (requests === 1) throw new Error("503 overloaded");
        if (requests === 2) await new Promise(() => undefined);
        yield { type: "finish", reason: "stop" };
      },
    };
    const { session } = await drivenSession(model, { drive: { idleTimeoutMs: 20 } });
    expect((await session.prompt("a")).outcome).toEqual({ status: "failed", code: "model_error", message: "503 overloaded" });
    expect((await session.prompt("b")).outcome).toMatchObject({ status: "failed", code: "model_error" });
    expect((await session.prompt("c")).outcome).toEqual({ status: "completed", text: "" });
  });

  it("[P38] mode and sandbox reach the model as a note in the conversation; a switch adds a new one, the system prompt stays", async () => {
    const systems = new Set<string>();
    let turn = 0;
    const model: ModelPort = {
      id: "m",
      async *stream(request): AsyncGenerator<ModelEvent> {
        systems.add(request.system);
        turn += 1;
        if (turn === 2) yield { type: "tool_call", modelCallId: "1", toolId: "read", input: "{}" };
        yield { type: "finish", reason: "stop" };
      },
    };
    const toolset = scriptedToolset([{ id: "read", run: () => (session.setMode("accept-edits"), succeeded("ok")) }]);
    const { session, requests } = await drivenSession(model, { toolset });
    const notes = (): readonly string[] => session.messages.filter((message) => message.role === "note").map((message) => message.text);
    await session.prompt("a");
    expect(notes()).toHaveLength(1);
    expect(notes()[0]).toContain("mode: auto");
    expect(notes()[0]).toContain("bash: available");
    expect(notes()[0]).not.toMatch(/network|isolat/i);
    await session.prompt("b");
    expect(notes()).toHaveLength(2);
    expect(notes()[1]).toContain("mode: accept-edits");
    expect(requests[2]?.at(-1)).toMatchObject({ role: "note", text: notes()[1] });
    expect([...systems]).toEqual(["Test."]);
  });

  it("[P13] [P38] where bash cannot run, or commands have no network, the note says so", async () => {
    const toolset = scriptedToolset(undefined, { sandbox: { available: false, reason: "no bubblewrap", remedy: "install it" } });
    const without = await drivenSession([{}], { toolset });
    await without.session.prompt("a");
    expect(without.session.messages[0]).toMatchObject({ role: "note", kind: "state", text: expect.stringContaining("bash: unavailable (no bubblewrap)") });
    const offline = await drivenSession([{}], { parts: { network: "none" } });
    await offline.session.prompt("a");
    expect(offline.session.messages[0]).toMatchObject({ text: expect.stringContaining("network: none for bash") });
  });

  it("undo is refused while a turn runs", async () => {
    const started = deferred<void>();
    const go = deferred<void>();
    const model: ModelPort = {
      id: "m",
      async *stream(): AsyncGenerator<ModelEvent> {
        started.resolve();
        await go.promise;
        yield { type: "finish", reason: "stop" };
      },
    };
    const { session } = await drivenSession(model);
    const turn = session.prompt("a");
    await started.promise;
    expect((await session.undo(["x"])).error?.code).toBe("busy");
    go.resolve();
    await turn;
    expect((await session.undo(["x"])).error?.code).toBe("unknown_change");
  });

  it("closing cancels the running turn and waits for it; later prompts are refused", async () => {
    const started = deferred<void>();
    const model: ModelPort = {
      id: "m",
      async *stream(): AsyncGenerator<ModelEvent> {
        started.resolve();
        await new Promise(() => undefined);
        yield { type: "finish", reason: "stop" };
      },
    };
    const { session } = await drivenSession(model);
    const turn = session.prompt("a");
    await started.promise;
    await session.close();
    expect((await turn).outcome).toEqual({ status: "cancelled" });
    expect((await session.prompt("b")).outcome).toMatchObject({ code: "closed" });
  });

  it("a session without a model says so", async () => {
    const { session } = await drivenSession([]);
    expect(session.definitions.map((definition) => definition.id)).toContain("update_plan");
    const { scriptedSession } = await import("../doubles/scripted-session.ts");
    const plain = scriptedSession().session;
    expect((await plain.prompt("a")).outcome).toMatchObject({ status: "failed", code: "no_model" });
    expect(plain.definitions.map((definition) => definition.id)).not.toContain("update_plan");
  });

  it.each(toolStatuses)("a %s result has its status towards the model", async (status) => {
    const expected = { succeeded: "success", failed: "error", denied: "denied", cancelled: "interrupted", outcome_unknown: "interrupted" }[status];
    const toolset = scriptedToolset([{ id: "read", run: () => ({ ...succeeded("x"), status }) }]);
    const { session } = await drivenSession([{ calls: [read("a")] }, {}], { toolset });
    await session.prompt("go");
    expect(session.messages.find((message) => message.role === "tool")).toMatchObject({ status: expected });
  });

  it("a reminder fits under the ceiling of a full result", async () => {
    const full = `${"é".repeat(15_980)}\n[exit 0; duration 1 ms]`.slice(0, 32_000);
    const toolset = scriptedToolset([{ id: "read", run: () => succeeded(full) }]);
    const { session } = await drivenSession([{ calls: [read("a")] }, { calls: [read("a")] }, {}], { toolset });
    await session.prompt("go");
    const results = session.messages.filter((message) => message.role === "tool");
    const text = resultText(results[1] ?? { content: [] });
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(32_000);
    expect(text).toContain("[exit 0; duration 1 ms]\n[reminder:");
    expect(text).not.toContain("\uFFFD");
  });
});

/** A store that refuses to keep messages of a role. */
function failingStore(fails: (role: string) => boolean): SessionStore {
  const store = createMemoryStore();
  return {
    ...store,
    append: async (turnId, messages) => {
      if (messages.some((message) => fails(message.role))) throw new Error("disk full");
      await store.append(turnId, messages);
    },
  };
}
