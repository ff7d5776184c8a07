import { failed, succeeded, type ToolResult } from "@fencepost/contract";
import type { CallRequest, ChangeOutcome } from "@fencepost/core";
import type { SandboxMode } from "@fencepost/sandbox";
import type { ServedSession } from "../../src/jsonl/serve-session.ts";

type Served = ServedSession["session"];

/** A session whose calls wait until the test ends them. Calls of the tool `now` end by themselves. */
export interface FakeSession extends Served {
  readonly started: string[];
  finish(callId: string, text?: string): void;
  changeOutcome: ChangeOutcome;
}

export function fakeSession(): FakeSession {
  const open = new Map<string, (result: ToolResult) => void>();
  const started: string[] = [];
  let mode: SandboxMode = "auto";
  const settle = (callId: string, result: ToolResult): boolean => {
    const resolve = open.get(callId);
    open.delete(callId);
    resolve?.(result);
    return resolve !== undefined;
  };
  const session: FakeSession = {
    get mode() {
      return mode;
    },
    started,
    definitions: [{ id: "now", description: "Ends at once.", inputSchema: { type: "object" }, riskHint: "read_only" }],
    changeOutcome: { changed: ["/w/a"], conflicts: [] },
    call: (request: CallRequest) => {
      started.push(request.callId);
      request.onProgress?.({ kind: "stdout", text: "working" });
      if (request.toolId === "now") return Promise.resolve(succeeded(`done in ${mode}`));
      return new Promise((resolve) => open.set(request.callId, resolve));
    },
    cancel: (callId) => settle(callId, failed("cancelled", "cancelled")),
    finish: (callId, text = "done") => void settle(callId, succeeded(text)),
    undo: async () => session.changeOutcome,
    reapply: async () => session.changeOutcome,
    setMode: (next) => {
      mode = next;
    },
  };
  return session;
}
