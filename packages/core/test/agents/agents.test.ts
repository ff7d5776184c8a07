import { describe, expect, it } from "vitest";
import { createAgentTeam, type AgentTeam } from "../../src/agents/agent-team.ts";
import { deferred } from "../../src/async/deferred.ts";
import type { ModelEvent, ModelPort } from "../../src/model/model-port.ts";
import { scriptedModel, type ScriptedAnswer } from "../../src/model/scripted-model.ts";
import { createMemoryStore } from "../../src/store/memory-store.ts";
import type { SessionStore } from "../../src/store/session-store.ts";
import { brief, drivenSession, type DrivenSession } from "../doubles/driven-session.ts";
import { workspace } from "../doubles/policy.ts";
import { scriptedSession } from "../doubles/scripted-session.ts";

const spawn = (name: string, message = "look") => ({ toolId: "spawn_agent", input: { task_name: name, message } });
const wait = { toolId: "wait_agent", input: {} };

interface Children {
  readonly store: SessionStore;
  readonly team: AgentTeam;
}

/** A team whose agents are driven by the given model. */
function teamOf(model: (sessionId: string) => ModelPort, store: SessionStore = createMemoryStore()): Children {
  const team = createAgentTeam({
    rootId: "session",
    store,
    open: async (sessionId) => {
      if (!(await store.session(sessionId))) await store.createSession({ sessionId, workspace, mode: "accept-edits", createdAt: 2, parentId: "session" });
      const drive = { model: model(sessionId), store, instructions: "", maxModelCalls: 15, idleTimeoutMs: 5_000, parallelReadOnly: false, plans: false };
      return scriptedSession({ id: sessionId, mode: "accept-edits", store, drive }).session;
    },
  });
  return { store, team };
}

async function rootWith(script: readonly ScriptedAnswer[], { store, team }: Children): Promise<DrivenSession> {
  return drivenSession(script, { store, drive: { team } });
}

function stuckModel(started: () => void = () => undefined): ModelPort {
  return {
    id: "stuck",
    async *stream(): AsyncGenerator<ModelEvent> {
      started();
      await new Promise(() => undefined);
      yield { type: "finish", reason: "stop" };
    },
  };
}

const notes = (session: DrivenSession["session"]): readonly string[] => session.messages.flatMap((message) => (message.role === "note" && message.kind === "mailbox" ? [message.text] : []));

describe("[C19] explorer agents", () => {
  it("work on their own, and their answer comes before the next model call, once", async () => {
    const children = teamOf(() => scriptedModel([{ calls: [{ toolId: "read", input: { path: "a" } }] }, { text: "It is in src/a.ts:3." }]));
    const { session, requests, store } = await rootWith([{ calls: [spawn("finder")] }, { calls: [wait] }, { text: "Found." }, { text: "Bye." }], children);
    expect((await session.prompt("find it")).outcome).toEqual({ status: "completed", text: "Found." });
    await session.prompt("thanks");
    expect(notes(session)).toEqual(["agent finder answered:\nIt is in src/a.ts:3."]);
    expect(brief(session.messages)).toContain("tool:success:1 message has arrived");
    expect(requests[2]?.at(-1)).toMatchObject({ role: "note", kind: "mailbox" });
    expect((await store.sessions({ parentId: "session" })).map(({ sessionId, mode }) => [sessionId, mode])).toEqual([["session.finder", "accept-edits"]]);
    expect((await store.spans("session.finder")).map(({ toolId }) => toolId)).toEqual(["read"]);
    expect((await store.spans("session")).map(({ toolId }) => toolId)).toEqual(["spawn_agent", "wait_agent"]);
    await session.close();
  });

  it("a message starts no turn", async () => {
    const children = teamOf(() => scriptedModel([{ text: "Here." }]));
    const { session, requests } = await rootWith([{ calls: [spawn("a")] }, { text: "Started." }], children);
    await session.prompt("go");
    while (children.team.running > 0) await new Promise((resolve) => setImmediate(resolve));
    expect(requests).toHaveLength(2);
    await session.close();
  });

  it("at most three run, names are unique and well formed, and long messages are refused", async () => {
    const children = teamOf(() => stuckModel());
    const script: ScriptedAnswer[] = [
      { calls: [spawn("a"), spawn("b"), spawn("a", "again"), spawn("c"), spawn("d"), spawn("Bad-Name"), spawn("e", "x".repeat(16_001))] },
      { calls: [{ toolId: "list_agents", input: {} }, { toolId: "interrupt_agent", input: { task_name: "nobody" } }, { toolId: "followup_task", input: { task_name: "a", message: "more" } }] },
      { calls: [{ toolId: "wait_agent", input: { timeout_ms: 5 } }] },
      { text: "Done." },
    ];
    const { session } = await rootWith(script, children);
    await session.prompt("go");
    const results = brief(session.messages).filter((text) => text.startsWith("tool:"));
    expect(results).toEqual([
      "tool:success:Agent a started",
      "tool:success:Agent b started",
      expect.stringContaining("The name a is taken"),
      "tool:success:Agent c started",
      expect.stringContaining("3 agents are running, which is the most"),
      expect.stringMatching(/^tool:error:invalid tool input: `task_name`/),
      expect.stringContaining("at most 4000 are allowed"),
      "tool:success:a: running\nb: running\nc: running",
      expect.stringContaining('There is no agent "nobody". There are: a, b, c.'),
      expect.stringContaining("Agent a is still running"),
      expect.stringMatching(/^tool:error:invalid tool input: `timeout_ms` was 5; expected a whole number from 10000 to 600000/),
    ]);
    await session.close();
    expect(children.team.list().map(({ state }) => state)).toEqual(["interrupted", "interrupted", "interrupted"]);
  });

  it("failures, interruptions and answers that are too long come as messages that say what to do", async () => {
    const started = deferred<void>();
    const models: Record<string, ModelPort> = {
      "session.broken": {
        id: "broken",
        // eslint-disable-next-line require-yield
        async *stream() {
          throw new Error("no quota");
        },
      },
      "session.chatty": scriptedModel([{ text: "word ".repeat(4_000) }, { text: "Short." }]),
      "session.slow": stuckModel(() => started.resolve()),
    };
    const children = teamOf((sessionId) => models[sessionId] ?? stuckModel());
    const { session } = await rootWith(
      [{ calls: [spawn("broken"), spawn("chatty"), spawn("slow")] }, { text: "Started." }, { calls: [{ toolId: "interrupt_agent", input: { task_name: "slow" } }] }, { text: "Stopped." }, { text: "Read." }],
      children,
    );
    await session.prompt("go");
    await started.promise;
    await session.prompt("stop slow");
    while (children.team.running > 0) await new Promise((resolve) => setImmediate(resolve));
    await session.prompt("read");
    const heard = notes(session).join("\n");
    expect(heard).toContain("agent broken failed (model_error): no quota.");
    expect(heard).toContain("agent chatty answered with about 5000 tokens, and a message has at most 4000");
    expect(heard).toContain("agent slow was interrupted.");
    expect(await children.team.followUp("chatty", "shorter")).toBeUndefined();
    while (children.team.running > 0) await new Promise((resolve) => setImmediate(resolve));
    expect(children.team.mailbox.drain().map(({ text }) => text)).toEqual(["agent chatty answered:\nShort."]);
    await session.close();
  });

  it("cancelling the turn ends the wait and not the agents", async () => {
    const children = teamOf(() => stuckModel());
    const { session, log } = await rootWith([{ calls: [spawn("a")] }, { calls: [wait] }], children);
    const turn = session.prompt("go");
    while (!log.some((event) => event.type === "tool_call_started" && event.toolId === "wait_agent")) await new Promise((resolve) => setImmediate(resolve));
    session.cancelTurn();
    expect((await turn).outcome).toEqual({ status: "cancelled" });
    expect(children.team.running).toBe(1);
    await session.close();
    expect(children.team.running).toBe(0);
  });

  it("after a restart, what an agent ended with and its session was never told is told once, and names stay taken", async () => {
    const store = createMemoryStore();
    const before = teamOf(() => scriptedModel([{ text: "Answer." }]), store);
    const first = await rootWith([{ calls: [spawn("a")] }, { text: "Started." }], before);
    await first.session.prompt("go");
    while (before.team.running > 0) await new Promise((resolve) => setImmediate(resolve));
    // The process dies here: nothing was drained.
    const after = teamOf(() => scriptedModel([]), store);
    await after.team.reconcile(first.session.messages);
    expect(after.team.list()).toEqual([{ name: "a", state: "completed" }]);
    expect(await after.team.spawn("a", "again")).toContain("is taken");
    const stored = (await store.messages("session")).map(({ message }) => message);
    const second = await drivenSession([{ text: "Thanks." }], { store, drive: { team: after.team }, parts: { stored: { messages: stored } } });
    await second.session.prompt("and?");
    expect(notes(second.session)).toEqual(["agent a answered:\nAnswer."]);
    const again = teamOf(() => scriptedModel([]), store);
    await again.team.reconcile(second.session.messages);
    expect(again.team.mailbox.size).toBe(0);
  });

  it("after a restart, an agent that was at work is told to be lost, and can be given the task again", async () => {
    const store = createMemoryStore();
    await store.createSession({ sessionId: "session", workspace, mode: "auto", createdAt: 1 });
    for (const [index, name] of ["atwork", "unstarted"].entries()) await store.createSession({ sessionId: `session.${name}`, workspace, mode: "accept-edits", createdAt: index, parentId: "session" });
    await store.beginTurn({ turnId: "t", sessionId: "session.atwork", startedAt: 1, messages: [{ role: "user", text: "look" }] });
    // What the store's recovery makes of a turn whose process is gone.
    await store.endTurn("t", { status: "interrupted" });
    const { team } = teamOf(() => scriptedModel([{ text: "Found." }]), store);
    await team.reconcile([]);
    expect(team.list()).toEqual([{ name: "atwork", state: "interrupted" }, { name: "unstarted", state: "interrupted" }]);
    expect(team.mailbox.drain().map(({ text }) => text)).toEqual([expect.stringContaining("agent atwork was interrupted by a restart, and its work is lost")]);
    for (const name of ["atwork", "unstarted"]) expect(await team.followUp(name, "again")).toBeUndefined();
    while (team.running > 0) await new Promise((resolve) => setImmediate(resolve));
    expect(new Set(team.mailbox.drain().map(({ text }) => text))).toEqual(new Set(["agent atwork answered:\nFound.", "agent unstarted answered:\nFound."]));
    await team.close();
  });

  it("a name of a registered tool is refused when the session is made", async () => {
    const { scriptedToolset } = await import("../doubles/scripted-toolset.ts");
    await expect(drivenSession([], { toolset: scriptedToolset([{ id: "wait_agent" }]), drive: { team: teamOf(() => stuckModel()).team } })).rejects.toThrow(/wait_agent has the name/);
  });
});
