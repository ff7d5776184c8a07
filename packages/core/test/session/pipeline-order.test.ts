import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { resultText, type ToolResult } from "@fencepost/contract";
import { defaultToolOptions } from "@fencepost/tools";
import { beforeAll, describe, expect, it } from "vitest";
import type { Approver } from "../../src/approval/approver.ts";
import type { CallSpan } from "../../src/trace/call-span.ts";
import type { OpenSessionOptions } from "../../src/session/session.ts";
import { openSession } from "../../src/session/open-session.ts";
import { realWorkspace } from "../doubles/real-workspace.ts";
import { scriptedApprover } from "../doubles/scripted-session.ts";

// Each call here has more than one fault: the one that comes first in the order of the steps is the one it ends with.

const place = realWorkspace();
const inWorkspace = (path: string): string => join(place.path, path);

const wide = { sandboxPermissions: { paths: [{ path: "/", access: "write", scope: "subtree" }] }, justification: "x" };
const good = { sandboxPermissions: { paths: [{ path: ".env", access: "write", scope: "exact" }] }, justification: "x" };

beforeAll(() => mkdirSync(inWorkspace(".git/hooks"), { recursive: true }));

const denyAll: OpenSessionOptions["hooks"] = { beforeCall: () => ({ deny: "Not here" }) };

interface Exit {
  readonly toolId: string;
  readonly input: unknown;
  readonly options?: Partial<OpenSessionOptions>;
  readonly code: string;
  readonly text: RegExp;
  readonly source: string;
  readonly cards?: number;
}

const blockList = { toolOptions: { commands: { ...defaultToolOptions.commands, blockList: true } } };

const exits: Readonly<Record<string, Exit>> = {
  "broken JSON comes before an unknown tool": { toolId: "fly", input: "{", code: "invalid_arguments", text: /not valid JSON/, source: "system" },
  "an unknown tool comes before its arguments": { toolId: "fly", input: { x: 1 }, code: "tool_not_found", text: /There is no tool "fly"/, source: "system" },
  "bad arguments come before a protected target": { toolId: "write", input: { path: ".git/hooks/x", content: 1, ...wide }, code: "invalid_arguments", text: /`content`/, source: "system" },
  "a protected target comes before an invalid escalation": { toolId: "write", input: { path: ".git/hooks/x", content: "x", ...wide }, code: "permission_denied", text: /protected and cannot be written in any mode; do not retry/, source: "builtin" },
  "a protected target comes before a hook": { toolId: "write", input: { path: ".git/hooks/x", content: "x" }, options: { hooks: denyAll }, code: "permission_denied", text: /do not retry/, source: "builtin" },
  "a blocked command comes before an invalid escalation": { toolId: "bash", input: { command: "sudo rm -rf /", ...wide }, options: blockList, code: "permission_denied", text: /sudo/, source: "builtin" },
  "an invalid escalation comes before a hook": { toolId: "write", input: { path: ".env", content: "x", ...wide }, options: { hooks: denyAll }, code: "permission_denied", text: /too wide/, source: "builtin" },
  "a hook comes before a card": { toolId: "bash", input: { command: "rm -rf x", ...good }, options: { hooks: denyAll }, code: "hook_denied", text: /^Not here\. Nothing was done\.$/, source: "system" },
  "a hook that throws refuses": {
    toolId: "bash",
    input: { command: "ls" },
    options: {
      hooks: {
        beforeCall: () => {
          throw new Error("hook broke");
        },
      },
    },
    code: "hook_denied",
    text: /hook broke/,
    source: "system",
  },
  "deny-all comes before a card": { toolId: "bash", input: { command: "rm -rf x", ...good }, options: { approvals: "deny-all" }, code: "permission_denied", text: /deny-all/, source: "builtin" },
  "nobody to ask": { toolId: "bash", input: { command: "rm -rf x", ...good }, options: { interactive: false }, code: "permission_denied", text: /nobody to ask/, source: "non_interactive" },
  "a card that is denied": { toolId: "bash", input: { command: "rm -rf x", ...good }, code: "permission_denied", text: /The user denied/, source: "user", cards: 1 },
};

describe("[C17] the order of a call's steps", () => {
  it.each(Object.entries(exits))("%s", async (_title, { toolId, input, options, code, text, source, cards = 0 }) => {
    const approver = scriptedApprover("deny");
    const spans: CallSpan[] = [];
    const session = await openSession({ workspace: place.path, approver, trace: [{ record: (span) => void spans.push(span) }], ...options });
    const finished: string[] = [];
    session.events.subscribe((event) => {
      if (event.type === "tool_call_finished") finished.push(event.callId);
    });
    const result = await session.call({ callId: "1", toolId, input });
    expect(result.error?.code).toBe(code);
    expect(resultText(result)).toMatch(text);
    expect(approver.cards).toHaveLength(cards);
    expect(session.records.map((record) => [record.decision, record.source])).toEqual([["denied", source]]);
    expect(finished).toEqual(["1"]);
    expect(spans.map(({ status, source: decidedBy }) => [status, decidedBy])).toEqual([
      ["running", undefined],
      [result.status, source],
    ]);
    expect([existsSync(inWorkspace(".git/hooks/x")), existsSync(inWorkspace(".env"))]).toEqual([false, false]);
    await session.close();
  });

  it("runs its steps one after the other, each once, and the result is last", async () => {
    const steps: string[] = [];
    const approver: Approver = {
      decide: async () => {
        steps.push("card");
        return "allow";
      },
    };
    const hooks: OpenSessionOptions["hooks"] = { beforeCall: () => void steps.push("before"), afterCall: (_call, result: ToolResult) => void steps.push(`after ${result.status}`) };
    const session = await openSession({ workspace: place.path, approver, hooks });
    session.events.subscribe(({ type }) => steps.push(type));
    const result = await session.call({ callId: "1", toolId: "write", input: { path: ".env", content: "x\n", ...good } });
    expect(result.status).toBe("succeeded");
    expect(steps).toEqual(["tool_call_started", "before", "permission_requested", "card", "permission_resolved", "after succeeded", "tool_call_finished"]);
    await session.undo(["1"]);
    await session.close();
  });

  it.each(["before it starts", "in its hook", "when the answer is there"])("a call that is cancelled %s runs nothing", async (when) => {
    const approver: Approver = {
      decide: async () => {
        if (when.startsWith("when")) session.cancel("1");
        return "allow";
      },
    };
    const hooks: OpenSessionOptions["hooks"] = {
      beforeCall() {
        if (when.startsWith("in")) session.cancel("1");
      },
    };
    const session = await openSession({ workspace: place.path, approver, hooks });
    const running = session.call({ callId: "1", toolId: "write", input: { path: ".env", content: "x\n", ...good } });
    if (when.startsWith("before")) session.cancel("1");
    expect(await running).toMatchObject({ status: "cancelled", error: { code: "cancelled" } });
    expect([session.records.length, existsSync(inWorkspace(".env"))]).toEqual([1, false]);
    await session.close();
  });
});
