import { PassThrough } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createCardDesk } from "../../src/jsonl/card-desk.ts";
import { serveSession } from "../../src/jsonl/serve-session.ts";
import { createWire } from "../../src/jsonl/wire.ts";
import { fakeSession } from "./fake-session.ts";

interface Answer {
  readonly id: string | null;
  readonly result?: { readonly status?: string; readonly cancelled?: boolean; readonly mode?: string; readonly content?: readonly { readonly text: string }[] };
  readonly error?: { readonly code: string; readonly message: string };
}

function readAnswer(line: string): Answer {
  const answer: Answer = JSON.parse(line);
  return answer;
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await pause(1);
}

function host({ progress = false }: { progress?: boolean } = {}) {
  const input = new PassThrough();
  const output = new PassThrough();
  const received: Answer[] = [];
  let rest = "";
  output.on("data", (chunk: Buffer) => {
    const lines = (rest + chunk.toString()).split("\n");
    rest = lines.pop() ?? "";
    received.push(...lines.map((line) => readAnswer(line)));
  });
  const session = fakeSession();
  const wire = createWire(output);
  const cards = createCardDesk((card) => wire.send({ permission: card }));
  const stop = new AbortController();
  const ended = new AbortController();
  input.once("end", () => ended.abort());
  const served = serveSession({ session, input, wire, cards, progress, stop: stop.signal, ended: ended.signal });
  return {
    session,
    cards,
    received,
    stop,
    served,
    end: () => input.end(),
    say: (...messages: (object | string)[]) => input.write(messages.map((message) => `${typeof message === "string" ? message : JSON.stringify(message)}\n`).join("")),
    answer: async (id: string | null): Promise<Answer> => {
      await until(() => received.some((message) => message.id === id));
      return received.find((message) => message.id === id)!;
    },
  };
}

describe("a session over lines", () => {
  it("answers each request exactly once, in order, one call at a time", async () => {
    const { session, received, served, say, end, answer } = host();
    say({ id: "a", tool: "slow" }, { id: "b", tool: "slow" }, { id: "c", tool: "now" });
    await until(() => session.started.length > 0);
    await pause(20);
    expect(session.started).toEqual(["a"]);
    session.finish("a");
    await until(() => session.started.length > 1);
    session.finish("b");
    await answer("c");
    end();
    await served;
    expect(received.map((message) => message.id)).toEqual(["a", "b", "c"]);
  });

  it("lists the session's tools", async () => {
    const { session, say, end, answer, served } = host();
    say({ id: "1", tools: true });
    expect((await answer("1")).result).toEqual({ tools: session.definitions });
    end();
    await served;
  });

  it("runs mode, undo and reapply in their place in the queue", async () => {
    const { session, served, say, end, answer, received } = host();
    say({ id: "1", tool: "now" }, { id: "2", mode: "accept-edits" }, { id: "3", tool: "now" }, { id: "4", undo: ["1"] }, { id: "5", reapply: ["1"] });
    expect((await answer("1")).result?.content?.[0]?.text).toBe("done in auto");
    expect((await answer("2")).result).toEqual({ mode: "accept-edits" });
    expect((await answer("3")).result?.content?.[0]?.text).toBe("done in accept-edits");
    expect((await answer("5")).result).toEqual({ changed: ["/w/a"], conflicts: [] });
    session.changeOutcome = { changed: [], conflicts: [], error: { code: "unknown_change", message: "no such change" } };
    say({ id: "6", undo: ["zz"] });
    expect(await answer("6")).toEqual({ id: "6", error: { code: "unknown_change", message: "no such change" } });
    end();
    await served;
    expect(received).toHaveLength(6);
  });

  it("cancels the running call at once, and a waiting one without starting it", async () => {
    const { session, served, say, end, answer } = host();
    say({ id: "run", tool: "slow" }, { id: "wait", tool: "slow" });
    await until(() => session.started.length > 0);
    say({ id: "x", cancel: "wait" }, { id: "y", cancel: "run" }, { id: "z", cancel: "nobody" });
    expect((await answer("x")).result).toEqual({ cancelled: true });
    expect((await answer("y")).result).toEqual({ cancelled: true });
    expect((await answer("z")).result).toEqual({ cancelled: false });
    expect((await answer("run")).result?.status).toBe("cancelled");
    expect((await answer("wait")).result?.status).toBe("cancelled");
    end();
    await served;
  });

  it("finds a call that a cancellation in the same piece of input names", async () => {
    const { served, say, end, answer } = host();
    say({ id: "1", tool: "slow" }, { id: "2", cancel: "1" });
    expect((await answer("2")).result).toEqual({ cancelled: true });
    expect((await answer("1")).result?.status).toBe("cancelled");
    end();
    await served;
  });

  it("answers what it cannot read with id null, and goes on", async () => {
    const { served, say, end, answer, received } = host();
    say("{nonsense", "[]", { id: "1", tool: "now" });
    await answer("1");
    expect(received.slice(0, 2).map(({ id, error }) => [id, error?.code])).toEqual([
      [null, "invalid_arguments"],
      [null, "invalid_arguments"],
    ]);
    end();
    await served;
  });

  it("refuses an id that was used, by whatever request", async () => {
    const { served, say, end, received, session } = host();
    say({ id: "1", tool: "now" }, { id: "1", tool: "now" }, { id: "2", mode: "auto" }, { id: "2", cancel: "1" });
    await until(() => received.length === 4);
    expect(received.filter((message) => message.error).map((message) => [message.id, message.error?.code])).toEqual([
      ["1", "invalid_arguments"],
      ["2", "invalid_arguments"],
    ]);
    expect(session.started).toEqual(["1"]);
    end();
    await served;
  });

  it("[P40] hands cards over and takes each answer once", async () => {
    const { served, say, end, received, cards } = host();
    const decision = cards.approver.decide({ requestId: "p1", callId: "1", sessionId: "fake", toolId: "bash", kinds: ["call"], mode: "auto", paths: [], covers: "" }, new AbortController().signal);
    await until(() => received.length === 1);
    expect(received[0]).toMatchObject({ permission: { requestId: "p1", callId: "1" } });
    say({ permission: { requestId: "p1", decision: "allow" } }, { permission: { requestId: "p1", decision: "deny" } });
    expect(await decision).toBe("allow");
    await until(() => received.length === 2);
    expect(received[1]).toMatchObject({ id: null, error: { code: "invalid_arguments" } });
    end();
    await served;
  });

  it("withdraws a card whose call is cancelled: an answer that comes late allows nothing", async () => {
    const { cards, served, end } = host();
    const cancelled = new AbortController();
    const decision = cards.approver.decide({ requestId: "p1", callId: "1", sessionId: "fake", toolId: "bash", kinds: ["call"], mode: "auto", paths: [], covers: "" }, cancelled.signal);
    cancelled.abort();
    await expect(decision).rejects.toThrow();
    expect(cards.answer("p1", "allow")).toBe(false);
    end();
    await served;
  });

  it("sends progress only where it was asked for", async () => {
    const quiet = host();
    quiet.say({ id: "1", tool: "now" });
    await quiet.answer("1");
    expect(quiet.received).toHaveLength(1);
    const telling = host({ progress: true });
    telling.say({ id: "1", tool: "now" });
    await until(() => telling.received.length === 2);
    expect(telling.received[0]).toEqual({ id: "1", progress: { kind: "stdout", text: "working" } });
    quiet.end();
    telling.end();
    await Promise.all([quiet.served, telling.served]);
  });

  it("cancels what runs and what waits at the end of input, and answers all of it", async () => {
    const { session, served, say, end, received } = host();
    say({ id: "1", tool: "slow" }, { id: "2", tool: "slow" }, { id: "3", undo: ["1"] });
    await until(() => session.started.length > 0);
    end();
    await served;
    expect(received.map((message) => [message.id, message.result?.status ?? message.error?.code])).toEqual([
      ["1", "cancelled"],
      ["2", "cancelled"],
      ["3", "cancelled"],
    ]);
  });

  it("does the same when the process is to end", async () => {
    const { session, served, say, stop, received } = host();
    say({ id: "1", tool: "slow" });
    await until(() => session.started.length > 0);
    stop.abort();
    await served;
    expect(received.map((message) => message.result?.status)).toEqual(["cancelled"]);
  });
});
