import { describe, expect, it } from "vitest";
import type { Message, ToolMessage } from "../conversation/message.ts";
import type { NewTurn, SessionStore, StoredSession } from "../store/session-store.ts";
import type { CallSpan } from "../trace/call-span.ts";

/** What a store under test is made with: `open` again opens the same data, as another process would. */
export interface SessionStoreFixture {
  open(): Promise<SessionStore>;
  remove(): Promise<void>;
}

const session: StoredSession = { sessionId: "s1", workspace: "/w", mode: "auto", createdAt: 1 };

const span: CallSpan = {
  sessionId: "s1",
  callId: "c1",
  toolId: "read",
  mode: "auto",
  sandboxMode: "auto",
  sessionModeOrigin: "default",
  startedAt: 1,
  status: "running",
  escalationPaths: [],
  permissionWaitMs: 0,
  sandboxDenied: false,
  durationMs: 0,
  inputBytes: 2,
  resultBytes: 0,
};

/** The contract of a `SessionStore`, for vitest. `make` is called once a test. */
export function testSessionStore(name: string, make: () => Promise<SessionStoreFixture>): void {
  const withStore = async (work: (store: SessionStore, fixture: SessionStoreFixture) => Promise<void>): Promise<void> => {
    const fixture = await make();
    const store = await fixture.open();
    try {
      await work(store, fixture);
    } finally {
      await store.close();
      await fixture.remove();
    }
  };
  describe(`[C20] the store ${name}`, () => {
    it("gives a session back as it was entered, and refuses its id a second time", () =>
      withStore(async (store) => {
        const full: StoredSession = { ...session, parentId: "p", title: "t", plan: { steps: [{ step: "a", status: "pending" }] } };
        await store.createSession(full);
        expect(await store.session("s1")).toEqual(full);
        expect(await store.session("s2")).toBeUndefined();
        await expect(store.createSession(full)).rejects.toThrow();
      }));

    it("lists sessions newest first, by workspace, up to a limit", () =>
      withStore(async (store) => {
        for (const [index, workspace] of ["/a", "/b", "/a"].entries()) await store.createSession({ ...session, sessionId: `s${index}`, workspace, createdAt: index });
        expect((await store.sessions()).map(({ sessionId }) => sessionId)).toEqual(["s2", "s1", "s0"]);
        expect((await store.sessions({ workspace: "/a" })).map(({ sessionId }) => sessionId)).toEqual(["s2", "s0"]);
        expect((await store.sessions({ limit: 1 })).map(({ sessionId }) => sessionId)).toEqual(["s2"]);
      }));

    it("lists what a session spawned apart from the others, and removes it with the session", () =>
      withStore(async (store) => {
        await store.createSession(session);
        await store.createSession({ ...session, sessionId: "s1.child", parentId: "s1" });
        expect((await store.sessions()).map(({ sessionId }) => sessionId)).toEqual(["s1"]);
        expect((await store.sessions({ parentId: "s1" })).map(({ sessionId }) => sessionId)).toEqual(["s1.child"]);
        await store.deleteSession("s1");
        expect(await store.session("s1.child")).toBeUndefined();
      }));

    it("[P42] keeps mode and plan, and the first prompt as the title", () =>
      withStore(async (store) => {
        await started(store);
        await store.setMode("s1", "accept-edits");
        await store.setPlan("s1", { explanation: "why", steps: [] });
        await store.endTurn("t1", { status: "completed", text: "x" });
        await started(store, { turnId: "t2", messages: [{ role: "user", text: "second" }] });
        expect(await store.session("s1")).toEqual({ ...session, mode: "accept-edits", plan: { explanation: "why", steps: [] }, title: "do it" });
        await expect(store.setMode("none", "auto")).rejects.toThrow();
      }));

    it("keeps messages in order with every detail, and refuses a second result of one call", () =>
      withStore(async (store) => {
        await started(store);
        const messages: readonly Message[] = [
          { role: "assistant", text: "é\u0000\n😀", toolCalls: [{ callId: "c1", modelCallId: "m", toolId: "read", input: "{" }], usage: { inputTokens: 3 } },
          result("c1"),
        ];
        await store.append("t1", messages);
        expect((await store.messages("s1")).map(({ message }) => message)).toEqual([{ role: "user", text: "do it" }, ...messages]);
        await expect(store.append("t1", [{ role: "user", text: "with it" }, result("c1")])).rejects.toThrow();
        expect(await store.messages("s1")).toHaveLength(3);
      }));

    it("[C14] starts one turn at a time, and one a request id", () =>
      withStore(async (store) => {
        await started(store, { requestId: "r1" });
        expect(await store.beginTurn(newTurn({ turnId: "t2" }))).toEqual({ kind: "busy", turnId: "t1" });
        expect(await store.beginTurn(newTurn({ turnId: "t2", requestId: "r1" }))).toMatchObject({ kind: "known", turn: { turnId: "t1" } });
        await store.endTurn("t1", { status: "cancelled" });
        expect(await store.beginTurn(newTurn({ turnId: "t2", requestId: "r1" }))).toMatchObject({ kind: "known", turn: { outcome: { status: "cancelled" } } });
        expect(await store.beginTurn(newTurn({ turnId: "t2", requestId: "r2" }))).toEqual({ kind: "started", precededBy: 1 });
        expect((await store.turns("s1")).map(({ turnId }) => turnId)).toEqual(["t1", "t2"]);
        expect(await store.messages("s1")).toHaveLength(2);
      }));

    it("a turn that has ended takes no message and stays as it ended", () =>
      withStore(async (store) => {
        await started(store);
        await store.endTurn("t1", { status: "completed", text: "done" });
        await store.endTurn("t1", { status: "cancelled" });
        await expect(store.append("t1", [{ role: "user", text: "late" }])).rejects.toThrow();
        await expect(store.append("none", [{ role: "user", text: "lost" }])).rejects.toThrow();
        expect((await store.turns("s1"))[0]?.outcome).toEqual({ status: "completed", text: "done" });
      }));

    it("[T40] gives artifacts back exactly, with the last mark of each change", () =>
      withStore(async (store) => {
        await started(store);
        const change = { changeId: "c1", path: "a", realPath: "/w/a", kind: "modified", additions: 1, deletions: 0, hunks: [], undone: false };
        const message: ToolMessage = { ...result("c1"), artifacts: [{ kind: "file_change", payload: change }, { kind: "other", payload: [1, "x", null] }] };
        await store.append("t1", [message]);
        const artifacts = async (): Promise<unknown> => {
          const last = (await store.messages("s1")).at(-1)?.message;
          return last?.role === "tool" ? last.artifacts : undefined;
        };
        expect(await artifacts()).toEqual(message.artifacts);
        await store.markChanges("s1", ["c1"], true);
        expect(await artifacts()).toEqual([{ kind: "file_change", payload: { ...change, undone: true } }, message.artifacts[1]]);
        await store.markChanges("s1", ["c1"], false);
        expect(await artifacts()).toEqual(message.artifacts);
      }));

    it("keeps one span a call, the last that was saved", () =>
      withStore(async (store) => {
        await store.createSession(session);
        await store.saveSpan(span);
        await store.saveSpan({ ...span, callId: "c2" });
        await store.saveSpan({ ...span, status: "succeeded", durationMs: 5 });
        expect((await store.spans("s1")).map(({ callId, status }) => [callId, status])).toEqual([
          ["c1", "succeeded"],
          ["c2", "running"],
        ]);
      }));

    it("recovery leaves the turns of a living process alone", () =>
      withStore(async (store) => {
        await started(store);
        expect(await store.recover()).toEqual([]);
        expect((await store.turns("s1"))[0]?.outcome).toBeUndefined();
      }));

    it("deleting a session takes all that belongs to it, and nothing else", () =>
      withStore(async (store) => {
        await started(store);
        await store.saveSpan(span);
        await store.createSession({ ...session, sessionId: "s2" });
        await store.deleteSession("s1");
        expect(await store.session("s1")).toBeUndefined();
        await store.createSession(session);
        expect([await store.messages("s1"), await store.turns("s1"), await store.spans("s1")]).toEqual([[], [], []]);
        expect(await store.session("s2")).toBeDefined();
      }));
  });
}

function newTurn(turn: Partial<NewTurn>): NewTurn {
  return { turnId: "t1", sessionId: "s1", startedAt: 1, messages: [{ role: "user", text: "do it" }], ...turn };
}

function result(callId: string): ToolMessage {
  return { role: "tool", callId, modelCallId: "m", toolId: "read", status: "success", content: [{ type: "text", text: "x" }], artifacts: [] };
}

async function started(store: SessionStore, turn: Partial<NewTurn> = {}): Promise<void> {
  if (!(await store.session("s1"))) await store.createSession(session);
  expect(await store.beginTurn(newTurn(turn))).toMatchObject({ kind: "started" });
}
