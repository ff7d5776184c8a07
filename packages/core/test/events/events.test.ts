import { describe, expect, it } from "vitest";
import { createEventStream, replayedEvents } from "../../src/events/event-stream.ts";
import type { SequencedEvent } from "../../src/events/session-event.ts";
import { advance, emptySnapshot } from "../../src/events/snapshot.ts";
import { drivenSession } from "../doubles/driven-session.ts";
import { gitGrant, scriptedApprover } from "../doubles/scripted-session.ts";

const delta = (text: string) => ({ type: "text_delta", turnId: "t", text }) as const;

describe("[C22] events", () => {
  it("come in order without gaps, a result after its call, the end last; replay gives the snapshot", async () => {
    const escalated = { toolId: "bash", input: { command: "x", sandboxPermissions: gitGrant, justification: "y" } };
    const { session, log, store } = await drivenSession([{ text: "Go.", calls: [{ toolId: "read", input: {} }, escalated] }, { text: "Done." }], { parts: { approver: scriptedApprover("allow") } });
    session.events.subscribe((event) => {
      if (event.type === "tool_call_finished") void store.messages("session").then((messages) => expect(messages.some(({ message }) => message.role === "tool" && message.callId === event.callId)).toBe(true));
    });
    await session.prompt("hi");
    expect(log.map(({ sequence }) => sequence)).toEqual(log.map((_, index) => index + 1));
    expect(log.map(({ type }) => type)).toEqual([
      "turn_started",
      "phase_changed",
      "text_delta",
      "phase_changed",
      "tool_call_started",
      "tool_call_finished",
      "tool_call_started",
      "permission_requested",
      "permission_resolved",
      "tool_call_finished",
      "phase_changed",
      "text_delta",
      "turn_finished",
    ]);
    expect(log.reduce(advance, emptySnapshot)).toEqual(session.events.snapshot);
    expect(session.events.snapshot).toMatchObject({ turn: null, calls: [], permissions: [], lastOutcome: { status: "completed" } });
  });

  it("late joiners hear what is kept after their place, and learn when something is missing", () => {
    const events = createEventStream();
    for (let index = 1; index <= 2_000; index += 1) events.emit(delta(String(index)));
    const replayed: SequencedEvent[] = [];
    events.subscribe((event) => replayed.push(event), { after: 1_990 });
    events.emit(delta("last"));
    expect(replayed.map(({ sequence }) => sequence)).toEqual([1991, 1992, 1993, 1994, 1995, 1996, 1997, 1998, 1999, 2000, 2001]);
    expect(events.since(2_001)).toEqual({ events: [], complete: true });
    const all = events.since(0);
    expect([all.events.length, all.complete, all.events[0]?.sequence]).toEqual([replayedEvents, false, 2_001 - replayedEvents + 1]);
  });

  it("a snapshot in the middle holds the draft, the running calls and the open cards, and no progress", () => {
    const events = createEventStream();
    events.emit({ type: "turn_started", turnId: "t", text: "hi" });
    events.emit(delta("Hel"));
    events.emit(delta("lo"));
    expect(events.snapshot.turn).toEqual({ turnId: "t", phase: "model", draft: "Hello" });
    events.emit({ type: "phase_changed", turnId: "t", phase: "tools" });
    events.emit({ type: "tool_call_started", callId: "c", toolId: "bash", input: "{}" });
    const before = events.snapshot;
    events.emit({ type: "tool_call_progress", callId: "c", progress: { kind: "stdout", text: "x" } });
    expect(events.snapshot).toEqual({ ...before, sequence: 6 });
    expect(before.calls).toEqual([{ callId: "c", toolId: "bash", input: "{}" }]);
    expect(before.turn?.draft).toBe("");
  });

  it("every listener hears one order, also of events that a listener causes; one that throws is alone in it", () => {
    const events = createEventStream();
    const heard: string[] = [];
    events.subscribe((event) => {
      if (event.type === "text_delta" && event.text === "a") events.emit(delta("b"));
      throw new Error("broken");
    });
    const stop = events.subscribe((event) => heard.push(event.type === "text_delta" ? event.text : ""));
    events.emit(delta("a"));
    stop();
    events.emit(delta("c"));
    expect(heard).toEqual(["a", "b"]);
  });
});
