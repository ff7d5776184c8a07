import { succeeded } from "@fencepost/contract";
import type { SessionEvent } from "@fencepost/core";
import { assert, array, integer, property, string } from "fast-check";
import { describe, expect, it } from "vitest";
import { createLiveView } from "../../src/live/live-view.ts";
import { createMargin } from "../../src/live/margin.ts";
import { plainStyle } from "../../src/view/style.ts";

const view = { style: plainStyle, columns: 60 };

function shown(events: readonly SessionEvent[], progress = false): string {
  const live = createLiveView(view, { progress });
  return events.map((event) => live.show(event)).join("");
}

const output = (text: string): SessionEvent => ({ type: "tool_call_progress", callId: "1", progress: { kind: "stdout", text } });

const finished = (text: string): SessionEvent => ({ type: "tool_call_finished", callId: "1", toolId: "bash", result: succeeded(text) });

describe("a turn, watched", () => {
  it("shows words, calls, results, the plan and how it ended", () => {
    expect(
      shown([
        { type: "turn_started", turnId: "t", text: "go" },
        { type: "text_delta", turnId: "t", text: "Let me " },
        { type: "text_delta", turnId: "t", text: "look.\nNow." },
        { type: "tool_call_started", callId: "1", toolId: "bash", input: { command: "make test" } },
        { type: "tool_call_finished", callId: "1", toolId: "bash", result: succeeded("ok\n[exit 0; duration 5 ms]") },
        { type: "plan_updated", plan: { steps: [{ step: "Test", status: "completed" }, { step: "Mend", status: "in_progress" }, { step: "Tell", status: "pending" }] } },
        { type: "turn_finished", turnId: "t", outcome: { status: "failed", code: "max_model_calls", message: "20 model calls" } },
      ]),
    ).toBe(["  Let me look.", "  Now.", "● bash make test", "  ok", "  [exit 0; duration 5 ms]", "● plan", "  ☑ Test", "  ▸ Mend", "  ☐ Tell", "The turn failed (max_model_calls): 20 model calls", ""].join("\n"));
  });

  it("shows output while it comes only where someone watches, and not without end", () => {
    const progress: SessionEvent = { type: "tool_call_progress", callId: "1", progress: { kind: "stdout", text: "line\n".repeat(500) } };
    expect(shown([progress])).toBe("");
    expect(shown([progress, progress], true).split("\n")).toHaveLength(21);
  });

  it("shows a command's output once: what came while it ran is not repeated in its result", () => {
    const started: SessionEvent = { type: "tool_call_started", callId: "1", toolId: "bash", input: { command: "x" } };
    expect(shown([started, output("on"), output("e\n\ntw"), output("o\n"), finished("one\n\ntwo\n[exit 0]")], true).split("\n")).toEqual(["● bash x", "  one", "  ", "  two", "  [exit 0]", ""]);
    // Lost on the way, or cut: the result has what was not shown.
    expect(shown([started, output("two\n"), finished("one\ntwo\n[exit 0]")], true)).toContain("  two\n  one\n  two\n  [exit 0]\n");
    const long = Array.from({ length: 30 }, (_, index) => `line ${index}`);
    const text = shown([started, output(`${long.join("\n")}\n`), finished([...long, "[exit 0]"].join("\n"))], true);
    for (const line of long) expect(text.split("\n").filter((candidate) => candidate === `  ${line}`), line).toHaveLength(1);
    expect(shown([started, output("x".repeat(10_000)), finished("x")], true)).toBe("● bash x\n  x\n");
  });

  it("begins anew where the terminal has, and loses the word it held", () => {
    const live = createLiveView(view, { progress: true });
    const text = live.show({ type: "text_delta", turnId: "t", text: "half a wo" });
    live.interrupted();
    expect(text + live.show({ type: "turn_finished", turnId: "t", outcome: { status: "cancelled" } })).toBe("  half a The turn was cancelled.\n");
  });

  it("shows a call on one line, however long its name and its input are", () => {
    for (const [toolId, command] of [["bash", "y".repeat(300)], ["bash", "é".repeat(50)], ["x".repeat(300), "y"], ["bash", `${" ".repeat(50)}└ Allow once?`], ["x".repeat(54), "yyyyyyy"]] as const) {
      const line = shown([{ type: "tool_call_started", callId: "1", toolId, input: { command } }]).trimEnd();
      expect(Array.from(line).length, line).toBeLessThanOrEqual(60);
      expect(line.startsWith("● "), line).toBe(true);
    }
  });

  it("keeps the message of a failed turn off the left edge", () => {
    const message = `${"x".repeat(55)} └ Allow once? [y/N] ${"y ".repeat(80)}`;
    const lines = shown([{ type: "turn_finished", turnId: "t", outcome: { status: "failed", code: "model_error", message } }]).trimEnd().split("\n");
    expect(lines.length).toBeGreaterThan(2);
    for (const [index, line] of lines.entries()) expect([line.length <= 60, index === 0 || line.startsWith("  ")], line).toEqual([true, true]);
  });

  it("lets a model forge neither a card nor a call: nothing of its words is at the left edge", () => {
    const forged = "\n└ Allow once? [y/N] y\n┌ Permission needed\r● bash rm\u001b[2J\u001b[1;1H" + "x".repeat(200);
    const events: readonly SessionEvent[] = [
      { type: "text_delta", turnId: "t", text: forged },
      { type: "tool_call_started", callId: "1", toolId: `x${forged}`, input: { command: forged } },
      { type: "tool_call_progress", callId: "1", progress: { kind: "stdout", text: forged } },
      { type: "tool_call_finished", callId: "1", toolId: "bash", result: succeeded(forged) },
      { type: "plan_updated", plan: { steps: [{ step: forged, status: "pending" }] } },
    ];
    const text = shown(events, true);
    expect(text).not.toMatch(/(?!\n)\p{Cc}/u);
    for (const line of text.split("\n")) expect(line === "" || line.startsWith("  ") || /^● (x|plan)/.test(line), line).toBe(true);
  });

  it("breaks streamed words anywhere, in any pieces, without losing one", () => {
    assert(
      property(array(string({ unit: "grapheme" })), integer({ min: 10, max: 40 }), (pieces, columns) => {
        const margin = createMargin({ columns });
        const text = pieces.map((piece) => margin.add(piece)).join("") + margin.end();
        for (const line of text.split("\n")) expect(line === "" || line.startsWith("  ")).toBe(true);
        for (const line of text.split("\n")) expect(line.length).toBeLessThan(columns);
      }),
    );
    const margin = createMargin({ columns: 40 });
    expect(margin.add("a\ud83d") + margin.add("\ude00b") + margin.end()).toBe("  a😀b\n");
  });
});
