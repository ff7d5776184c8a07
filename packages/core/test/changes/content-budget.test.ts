import { succeeded, type Artifact, type FileChange } from "@fencepost/contract";
import { describe, expect, it } from "vitest";
import { createContentBudget } from "../../src/changes/content-budget.ts";
import { createConversation } from "../../src/conversation/conversation.ts";
import { createEventStream } from "../../src/events/event-stream.ts";

function change(changeId: string, content: string): Artifact {
  const payload: FileChange = { changeId, path: "a", realPath: "/w/a", kind: "modified", additions: 1, deletions: 1, hunks: [{ oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, lines: [{ kind: "added", text: "x" }] }], beforeHash: "b", afterHash: "a", beforeContent: content, afterContent: content, undone: false };
  return { kind: "file_change", payload };
}

const contentOf = (artifact: Artifact | undefined): unknown => Object(artifact?.payload)["afterContent"];

describe("file contents that are held beside the texts", () => {
  it("are let go oldest first beyond the limit, the newest never; diffs and other artifacts stay", () => {
    const left = new Map<string, readonly Artifact[]>();
    const budget = createContentBudget(100);
    const other: Artifact = { kind: "note", payload: "y".repeat(500) };
    for (const [id, length] of [["1", 20], ["2", 20], ["3", 20], ["4", 300]] as const) {
      const artifacts = [change(id, "z".repeat(length)), other];
      left.set(id, artifacts);
      budget.add(artifacts, (without) => left.set(id, without));
    }
    expect([...left.values()].map(([first]) => contentOf(first))).toEqual([null, null, null, "z".repeat(300)]);
    expect(left.get("1")).toMatchObject([{ payload: { changeId: "1", hunks: [{ newStart: 1 }], beforeHash: "b" } }, other]);
  });

  it("are bounded in a conversation and in the events for replay, however many changes there were", () => {
    const conversation = createConversation();
    const events = createEventStream();
    const content = "c".repeat(1024 * 1024);
    for (let index = 0; index < 100; index += 1) {
      const artifacts = [change(String(index), `${content}${index}`)];
      conversation.append([{ role: "tool", callId: String(index), modelCallId: "m", toolId: "edit", status: "success", content: [], artifacts }]);
      events.emit({ type: "tool_call_finished", callId: String(index), toolId: "edit", result: succeeded("x", { artifacts }) });
    }
    const inMessages = conversation.messages.filter((message) => message.role === "tool" && contentOf(message.artifacts[0]) !== null);
    const inEvents = events.since(0).events.filter((event) => event.type === "tool_call_finished" && contentOf(event.result.artifacts[0]) !== null);
    expect([inMessages.length, inEvents.length]).toEqual([15, 15]);
    expect(conversation.messages).toHaveLength(100);
    expect(inEvents.at(-1)).toMatchObject({ sequence: 100, callId: "99" });
    expect(events.since(0).events.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 100 }, (_, index) => index + 1));
  });
});
