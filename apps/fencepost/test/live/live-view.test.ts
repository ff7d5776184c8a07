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
