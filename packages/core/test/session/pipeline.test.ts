import { failed, resultText, succeeded } from "@fencepost/contract";
import { describe, expect, it } from "vitest";
import { ApproverGoneError } from "../../src/approval/approver-gone.ts";
import { approvalPresets } from "../../src/approval/preset.ts";
import { deferred } from "../../src/async/deferred.ts";
import { policyOf, workspace } from "../doubles/policy.ts";
import { gitGrant, scriptedApprover, scriptedSession } from "../doubles/scripted-session.ts";
import { scriptedToolset } from "../doubles/scripted-toolset.ts";

const commit = { command: "git commit -m x" };
const wide = (path: string): unknown => ({ ...commit, sandboxPermissions: { paths: [{ path, access: "write", scope: "subtree" }] }, justification: "to set up" });
const escalated = { ...commit, sandboxPermissions: gitGrant, justification: "to commit" };
const deleting = { command: "ls; rm -rf build" };

describe("one call", () => {
  it("[C17] records exactly one decision for each call, whatever became of it", async () => {
    const { session } = scriptedSession({ approver: scriptedApprover("deny") });
    await session.call({ callId: "1", toolId: "read", input: {} });
    await session.call({ callId: "2", toolId: "nothing", input: {} });
    await session.call({ callId: "3", toolId: "read", input: "{broken" });
    await session.call({ callId: "4", toolId: "write", input: { path: ".git/hooks/x" } });
    await session.call({ callId: "5", toolId: "bash", input: escalated });
    await session.call({ callId: "5", toolId: "bash", input: commit });
    expect(session.records.map(({ callId, decision, source, status }) => [callId, decision, source, status])).toEqual([
      ["1", "allowed", "sandbox", "succeeded"],
      ["2", "denied", "system", "failed"],
      ["3", "denied", "system", "failed"],
      ["4", "denied", "builtin", "denied"],
      ["5", "denied", "user", "denied"],
      ["5", "denied", "system", "failed"],
    ]);
  });

  it("[P18] a retry with permissions shows a card with command, reason and each path's access, scope and tier", async () => {
    const approver = scriptedApprover("allow");
    const toolset = scriptedToolset([
      {
        id: "bash",
        facts: (input) => ({ kind: "runs", commands: [String(input["command"])] }),
        run: (_input, call) =>
          call.policy.grants.length > 0
            ? succeeded("committed")
            : succeeded("fatal: Unable to create '.git/index.lock': Read-only file system\n[exit 128; duration 3 ms]\n[sandbox: file access denied under auto mode]", { sandboxDenied: true }),
      },
    ]);
    const { session } = scriptedSession({ approver, toolset });
    await session.call({ callId: "1", toolId: "bash", input: commit });
    const result = await session.call({ callId: "2", toolId: "bash", input: escalated });
    expect(resultText(result)).toBe("committed");
    expect(approver.cards).toHaveLength(1);
    expect(approver.cards[0]).toMatchObject({
      callId: "2",
      toolId: "bash",
      kinds: ["escalation"],
      mode: "auto",
      command: "git commit -m x",
      justification: "to commit",
      paths: [{ path: `${workspace}/.git`, access: "write", scope: "subtree", tier: "sensitive" }],
      earlierRefusal: "fatal: Unable to create '.git/index.lock': Read-only file system",
    });
    expect(approver.cards[0]?.covers).toContain("the next call asks again");
  });

  it("[P18] the card of a wide grant says what stays closed in it", async () => {
    const approver = scriptedApprover("deny");
    const { session } = scriptedSession({ approver });
    await session.call({ callId: "1", toolId: "bash", input: wide("/home/ada/.config") });
    await session.call({ callId: "2", toolId: "bash", input: wide("/opt/other") });
    expect(approver.cards[0]?.covers).toContain("In a granted directory git hooks stay closed, and so do credentials and protected names such as .git and .env that are not listed themselves.");
    expect(approver.cards[1]?.covers).toContain("so do protected names");
  });

  it("[P19] [T10] an approval covers that call only: the same call asks again and the next runs without grants", async () => {
    const approver = scriptedApprover("allow");
    const { session, toolset } = scriptedSession({ approver });
    await session.call({ callId: "1", toolId: "bash", input: escalated });
    await session.call({ callId: "2", toolId: "bash", input: commit });
    await session.call({ callId: "3", toolId: "write", input: { path: "a", sandboxPermissions: gitGrant, justification: "x" } });
    await session.call({ callId: "4", toolId: "bash", input: escalated });
    expect(approver.cards.map((card) => card.callId)).toEqual(["1", "3", "4"]);
    expect(toolset.executions.map((execution) => execution.call.policy.grants.length)).toEqual([1, 0, 1, 1]);
  });

  it("[P22] an invalid escalation is refused without a card, and the session goes on", async () => {
    const approver = scriptedApprover("allow");
    const { session, toolset } = scriptedSession({ approver });
    const refused = await session.call({ callId: "1", toolId: "bash", input: { ...commit, sandboxPermissions: gitGrant } });
    expect(refused.error?.code).toBe("invalid_arguments");
    expect(approver.cards).toEqual([]);
    expect(toolset.executions).toEqual([]);
    expect((await session.call({ callId: "2", toolId: "read", input: {} })).status).toBe("succeeded");
  });

  it("[C6] a hard-protected target is refused by rule, with every preset and every approver", async () => {
    for (const preset of approvalPresets) {
      const approver = scriptedApprover("allow");
      const { session, toolset } = scriptedSession({ approver, preset });
      const result = await session.call({ callId: "1", toolId: "write", input: { path: ".git/hooks/pre-commit" } });
      expect(result.status).toBe("denied");
      expect(approver.cards).toEqual([]);
      expect(toolset.executions).toEqual([]);
    }
  });

  it("[P31] [P32] a deleting command asks in auto; in accept-edits only an escalation asks, and its card says both", async () => {
    const approver = scriptedApprover("allow");
    const { session, toolset } = scriptedSession({ approver });
    await session.call({ callId: "1", toolId: "bash", input: deleting });
    expect(approver.cards[0]).toMatchObject({ kinds: ["dangerous"], danger: { key: "rm_recursive_or_force", span: { start: 4, end: 16 } } });
    expect(toolset.executions[0]?.call.policy.grants).toEqual([]);
    session.setMode("accept-edits");
    await session.call({ callId: "2", toolId: "bash", input: deleting });
    expect(approver.cards).toHaveLength(1);
    await session.call({ callId: "3", toolId: "bash", input: { ...deleting, sandboxPermissions: gitGrant, justification: "x" } });
    expect(approver.cards[1]?.kinds).toEqual(["escalation", "dangerous"]);
    expect(approver.cards[1]?.covers).toContain("deletes");
  });

  it("[P33] with nobody to ask, whatever needs a card is refused with a way on", async () => {
    const { session, toolset } = scriptedSession({ approver: undefined });
    const danger = await session.call({ callId: "1", toolId: "bash", input: deleting });
    const escalation = await session.call({ callId: "2", toolId: "bash", input: escalated });
    expect(danger).toMatchObject({ status: "denied", error: { code: "permission_denied" } });
    expect(resultText(danger)).toContain("`rm -rf build` deletes");
    expect(resultText(danger)).toContain("plain rm");
    expect(resultText(escalation)).toContain("nobody to ask");
    expect(toolset.executions).toEqual([]);
    expect(session.records.map((record) => record.source)).toEqual(["non_interactive", "non_interactive"]);
  });

  it("[P13] without a sandbox no command is asked about or run, and other tools go on", async () => {
    const approver = scriptedApprover("allow");
    const toolset = scriptedToolset(undefined, { sandbox: { available: false, reason: "no bubblewrap", remedy: "install it" } });
    const { session } = scriptedSession({ approver, toolset, preset: "always-ask" });
    const result = await session.call({ callId: "1", toolId: "bash", input: deleting });
    expect(result.error?.code).toBe("sandbox_unavailable");
    expect(resultText(result)).toContain("no bubblewrap");
    expect(approver.cards).toEqual([]);
    expect((await session.call({ callId: "2", toolId: "read", input: {} })).status).toBe("succeeded");
    expect(toolset.executions.map((execution) => execution.toolId)).toEqual(["read"]);
  });

  it.each([
    ["ask-on-escalation", { read: false, write: false, bash: false, escalation: true, danger: true }],
    ["always-ask", { read: true, write: true, bash: true, escalation: true, danger: true }],
    ["read-only", { read: false, write: true, bash: true, escalation: true, danger: true }],
  ] as const)("[C16] preset %s asks about what it says", async (preset, expected) => {
    const approver = scriptedApprover("allow");
    const { session } = scriptedSession({ approver, preset });
    await session.call({ callId: "read", toolId: "read", input: {} });
    await session.call({ callId: "write", toolId: "write", input: { path: "a" } });
    await session.call({ callId: "bash", toolId: "bash", input: commit });
    await session.call({ callId: "escalation", toolId: "bash", input: escalated });
    await session.call({ callId: "danger", toolId: "bash", input: deleting });
    const asked = new Set(approver.cards.map((card) => card.callId));
    expect(Object.fromEntries(Object.keys(expected).map((name) => [name, asked.has(name)]))).toEqual(expected);
  });

  it("[C16] deny-all refuses every call and asks nothing; allow-all runs every call, asks nothing, and warns once", async () => {
    for (const preset of ["deny-all", "allow-all"] as const) {
      const approver = scriptedApprover("deny");
      const warnings: string[] = [];
      const { session, toolset } = scriptedSession({ approver, preset, onWarning: (text) => warnings.push(text) });
      const inputs = [{ toolId: "read", input: {} }, { toolId: "write", input: { path: "a" } }, { toolId: "bash", input: escalated }, { toolId: "bash", input: deleting }];
      for (const [index, call] of inputs.entries()) await session.call({ callId: String(index), ...call });
      expect(approver.cards).toEqual([]);
      expect(toolset.executions).toHaveLength(preset === "allow-all" ? 4 : 0);
      expect(warnings).toHaveLength(preset === "allow-all" ? 1 : 0);
      expect(session.records.every((record) => record.decision === (preset === "allow-all" ? "allowed" : "denied"))).toBe(true);
    }
  });

  it("[P41] calls queue, so that their cards come one after another", async () => {
    let open = 0;
    let most = 0;
    const order: string[] = [];
    const { session } = scriptedSession({
      approver: {
        async decide(request) {
          most = Math.max(most, (open += 1));
          order.push(request.callId);
          await new Promise((resolve) => setImmediate(resolve));
          open -= 1;
          return "allow";
        },
      },
    });
    await Promise.all(["1", "2", "3"].map((callId) => session.call({ callId, toolId: "bash", input: escalated })));
    expect([most, order]).toEqual([1, ["1", "2", "3"]]);
  });

  it("[P40] a request has no answer but allow and deny: anything else allows nothing", async () => {
    for (const answer of ["always", "", null, true]) {
      const { session, toolset } = scriptedSession({ approver: { decide: async () => JSON.parse(JSON.stringify(answer)) } });
      expect((await session.call({ callId: "1", toolId: "bash", input: escalated })).status).toBe("denied");
      expect(toolset.executions).toEqual([]);
    }
  });

  it("[C7] an approver that fails allows nothing; one whose person is gone leaves the outcome unknown", async () => {
    const { session, toolset } = scriptedSession({ approver: { decide: async () => Promise.reject(new Error("no terminal")) } });
    const failedAnswer = await session.call({ callId: "1", toolId: "bash", input: escalated });
    expect(failedAnswer).toMatchObject({ status: "denied", error: { code: "permission_denied" } });
    expect(resultText(failedAnswer)).toContain("no terminal");
    const gone = scriptedSession({ approver: { decide: async () => Promise.reject(new ApproverGoneError("left")) } });
    expect((await gone.session.call({ callId: "1", toolId: "bash", input: escalated })).status).toBe("outcome_unknown");
    const thrown = scriptedSession({
      approver: {
        decide: () => {
          throw new Error("at once");
        },
      },
    });
    expect((await thrown.session.call({ callId: "1", toolId: "bash", input: escalated })).status).toBe("denied");
    expect([...toolset.executions, ...gone.toolset.executions, ...thrown.toolset.executions]).toEqual([]);
  });

  it("[C7] cancelling while a card waits answers at once, withdraws the card and runs nothing", async () => {
    let withdrawn: AbortSignal | undefined;
    const asked = deferred<void>();
    const { session, toolset } = scriptedSession({
      approver: {
        decide: (_request, signal) => {
          withdrawn = signal;
          asked.resolve();
          return new Promise(() => undefined);
        },
      },
    });
    const running = session.call({ callId: "1", toolId: "bash", input: escalated });
    await asked.promise;
    expect(session.cancel("1")).toBe(true);
    expect((await running).status).toBe("cancelled");
    expect(withdrawn?.aborted).toBe(true);
    expect(session.cancel("1")).toBe(false);
    expect(toolset.executions).toEqual([]);
  });

  it("[C7] closing while a card waits leaves the outcome unknown and runs nothing, now and later", async () => {
    const asked = deferred<void>();
    const answer = deferred<"allow">();
    const { session, toolset } = scriptedSession({
      approver: {
        decide: () => {
          asked.resolve();
          return answer.promise;
        },
      },
    });
    const waiting = session.call({ callId: "1", toolId: "bash", input: escalated });
    const queued = session.call({ callId: "2", toolId: "read", input: {} });
    await asked.promise;
    const closing = session.close();
    answer.resolve("allow");
    expect((await waiting).status).toBe("outcome_unknown");
    expect((await queued).status).toBe("cancelled");
    await closing;
    expect((await session.call({ callId: "3", toolId: "read", input: {} })).status).toBe("cancelled");
    expect(toolset.executions).toEqual([]);
  });

  it("refuses when what a granted path leads to changed while the card was open", async () => {
    let target = `${workspace}/cache`;
    const toolset = scriptedToolset(undefined, { resolve: () => target });
    const { session } = scriptedSession({
      toolset,
      approver: {
        decide: async () => {
          target = "/etc";
          return "allow";
        },
      },
    });
    const result = await session.call({ callId: "1", toolId: "bash", input: escalated });
    expect(result.status).toBe("denied");
    expect(resultText(result)).toContain("changed while the user was being asked");
    expect(toolset.executions).toEqual([]);
  });

  it("[P1] a session is in auto; a switch takes effect at the next call and not in the one that runs", async () => {
    const { session, toolset } = scriptedSession({
      toolset: scriptedToolset([
        {
          id: "read",
          run: () => {
            session.setMode("accept-edits");
            return succeeded("ok");
          },
        },
      ]),
    });
    expect(session.mode).toBe("auto");
    await session.call({ callId: "1", toolId: "read", input: {} });
    await session.call({ callId: "2", toolId: "read", input: {} });
    expect(toolset.executions.map((execution) => execution.call.policy.mode)).toEqual(["auto", "accept-edits"]);
    expect(session.records.map((record) => record.mode)).toEqual(["auto", "accept-edits"]);
    expect(() => session.setMode(JSON.parse('"yolo"'))).toThrow(RangeError);
  });

  it("[T11] cancel reaches the running tool; a queued call is cancelled without ever starting", async () => {
    const started = deferred<void>();
    const toolset = scriptedToolset([
      {
        id: "bash",
        run: (_input, call) => {
          started.resolve();
          return new Promise((resolve) => call.signal.addEventListener("abort", () => resolve(failed("cancelled", "[cancelled; duration 1 ms]"))));
        },
      },
    ]);
    const { session } = scriptedSession({ toolset });
    const running = session.call({ callId: "1", toolId: "bash", input: {} });
    const queued = session.call({ callId: "2", toolId: "bash", input: {} });
    await started.promise;
    expect(session.cancel("2")).toBe(true);
    expect((await queued).status).toBe("cancelled");
    expect(session.cancel("1")).toBe(true);
    expect((await running).status).toBe("cancelled");
    expect(session.cancel("3")).toBe(false);
    expect(toolset.executions).toHaveLength(1);
  });

  it("[T14] a tool that does not end after its cancellation is answered outcome_unknown, and the session goes on", async () => {
    const started = deferred<void>();
    const toolset = scriptedToolset([
      {
        id: "stuck",
        run: () => {
          started.resolve();
          return new Promise(() => undefined);
        },
      },
      { id: "read" },
    ]);
    const { session } = scriptedSession({ toolset, cancelGraceMs: 20 });
    const stuck = session.call({ callId: "1", toolId: "stuck", input: {} });
    await started.promise;
    session.cancel("1");
    expect((await stuck).status).toBe("outcome_unknown");
    expect((await session.call({ callId: "2", toolId: "read", input: {} })).status).toBe("succeeded");
    await session.close();
  });

  it("a tool or a preparation that throws becomes a result", async () => {
    const toolset = scriptedToolset([
      {
        id: "read",
        run: () => {
          throw new Error("boom");
        },
      },
    ]);
    const { session } = scriptedSession({ toolset });
    expect(resultText(await session.call({ callId: "1", toolId: "read", input: {} }))).toContain("boom");
    toolset.prepare = () => Promise.reject(new Error("bad day"));
    expect((await session.call({ callId: "2", toolId: "read", input: {} })).error?.code).toBe("execution_failed");
  });

  it("[T39] a consumer of progress that throws changes nothing, and hears nothing after the result", async () => {
    let later: (() => void) | undefined;
    const heard: string[] = [];
    const toolset = scriptedToolset([
      {
        id: "read",
        run: (_input, call) => {
          call.progress({ kind: "stdout", text: "1" });
          later = () => call.progress({ kind: "stdout", text: "2" });
          return succeeded("ok");
        },
      },
    ]);
    const { session } = scriptedSession({ toolset });
    const result = await session.call({
      callId: "1",
      toolId: "read",
      input: {},
      onProgress: (event) => {
        heard.push(event.text);
        throw new Error("full");
      },
    });
    later?.();
    expect([result.status, heard]).toEqual(["succeeded", ["1"]]);
  });

  it("refuses call ids that were used, are empty or too long", async () => {
    const { session, toolset } = scriptedSession();
    await session.call({ callId: "1", toolId: "read", input: {} });
    for (const callId of ["1", "", "x".repeat(201), "a\0b"]) {
      const result = await session.call({ callId, toolId: "read", input: {} });
      expect(result.error?.code).toBe("invalid_arguments");
      expect(resultText(result)).toMatch(/^invalid tool input: /);
    }
    expect(toolset.executions).toHaveLength(1);
  });

  it("hooks see risk and capabilities and may deny; one that throws denies", async () => {
    const seen: unknown[] = [];
    const { session, toolset } = scriptedSession({
      hooks: {
        beforeCall(call) {
          seen.push([call.toolId, call.risk, call.capabilities]);
          if (call.toolId === "write") return { deny: "Files are frozen" };
          if (call.toolId === "bash") throw new Error("hook broke");
          return undefined;
        },
        afterCall: (call) => (call.toolId === "grep" ? { deny: "Contains a secret." } : undefined),
      },
    });
    const write = await session.call({ callId: "1", toolId: "write", input: { path: "a" } });
    const bash = await session.call({ callId: "2", toolId: "bash", input: commit });
    const grep = await session.call({ callId: "3", toolId: "grep", input: {} });
    expect([write.error?.code, bash.error?.code, grep.error?.code]).toEqual(["hook_denied", "hook_denied", "hook_denied"]);
    expect(resultText(write)).toBe("Files are frozen. Nothing was done.");
    expect(toolset.executions.map((execution) => execution.toolId)).toEqual(["grep"]);
    expect(seen[0]).toEqual(["write", "workspace_mutation", ["filesystem.write"]]);
  });

  it("[P25] [P43] nothing of an approval is kept: a second session asks for the same call", async () => {
    const approver = scriptedApprover("allow");
    for (const _ of [1, 2]) {
      const { session } = scriptedSession({ approver });
      await session.call({ callId: "1", toolId: "bash", input: escalated });
      await session.close();
    }
    expect(approver.cards).toHaveLength(2);
  });

  it("[P44] a record holds mode, paths, reason, danger, who decided, and how long it took", async () => {
    let clock = 0;
    const { session } = scriptedSession({ approver: scriptedApprover("allow"), now: () => (clock += 10) });
    await session.call({ callId: "1", toolId: "bash", input: { ...deleting, sandboxPermissions: gitGrant, justification: "tidy" } });
    expect(session.records[0]).toEqual({
      callId: "1",
      toolId: "bash",
      mode: "auto",
      decision: "allowed",
      source: "user",
      escalationPaths: [`${workspace}/.git`],
      justification: "tidy",
      dangerKey: "rm_recursive_or_force",
      permissionWaitMs: 10,
      status: "succeeded",
      sandboxDenied: false,
      durationMs: 30,
    });
    expect(policyOf("auto").grants).toEqual([]);
  });
});
