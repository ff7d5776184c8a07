import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { resultText, succeeded } from "@fencepost/contract";
import { Type } from "typebox";
import { describe, expect, it, vi } from "vitest";
import { builtinRegistry, createLocalSearchBackend, defaultPreset, defineTool, type SearchBackend } from "@fencepost/tools";
import type { ModelEvent, ModelPort } from "../../src/model/model-port.ts";
import { scriptedModel } from "../../src/model/scripted-model.ts";
import type { AgentSession } from "../../src/session/session.ts";
import { createMemoryStore } from "../../src/store/memory-store.ts";
import { deferred } from "../../src/async/deferred.ts";
import { openSession } from "../../src/session/open-session.ts";
import { realWorkspace } from "../doubles/real-workspace.ts";
import { scriptedApprover } from "../doubles/scripted-session.ts";

const place = realWorkspace();

function writeGrant(path: string): object {
  return { sandboxPermissions: { paths: [{ path, access: "write", scope: "exact" }] }, justification: "to write it" };
}

describe("a session on this machine, under its kernel", () => {
  it("[P1] [P3] [P19] bash writes the workspace and not .git; with a grant it does, hooks stay closed, and the next call is refused again", async () => {
    mkdirSync(join(place.path, ".git", "hooks"), { recursive: true });
    const approver = scriptedApprover("allow");
    const session = await openSession({ workspace: place.path, approver, tools: ["bash"] });
    expect([session.mode, session.sandbox.available]).toEqual(["auto", true]);
    const plain = { command: "echo a > a.txt; echo x > .git/x" };
    const refused = await session.call({ callId: "1", toolId: "bash", input: plain });
    expect(refused.sandboxDenied).toBe(true);
    expect(resultText(refused)).toContain("[sandbox: file access denied under auto mode]");
    expect([existsSync(join(place.path, "a.txt")), existsSync(join(place.path, ".git/x"))]).toEqual([true, false]);

    const grant = { sandboxPermissions: { paths: [{ path: ".git", access: "write", scope: "subtree" }] }, justification: "to write x" };
    const granted = await session.call({ callId: "2", toolId: "bash", input: { command: "echo x > .git/x; echo h > .git/hooks/pre-commit", ...grant } });
    expect(approver.cards).toHaveLength(1);
    expect(approver.cards[0]?.paths).toEqual([{ path: join(place.path, ".git"), access: "write", scope: "subtree", tier: "sensitive" }]);
    expect(readFileSync(join(place.path, ".git/x"), "utf8")).toBe("x\n");
    expect(existsSync(join(place.path, ".git/hooks/pre-commit"))).toBe(false);
    expect(granted.sandboxDenied).toBe(true);
    const after = await session.call({ callId: "3", toolId: "bash", input: { command: "echo y > .git/x" } });
    expect(after.sandboxDenied).toBe(true);
    expect(readFileSync(join(place.path, ".git/x"), "utf8")).toBe("x\n");
    await session.close();
  });

  it("refuses a state home in a file system of the kernel in one line, instead of hanging", async () => {
    for (const stateHome of ["/proc/.fencepost", "/sys/.fencepost", "/dev/.fencepost"]) {
      await expect(openSession({ workspace: place.path, stateHome })).rejects.toThrow(/lies in a file system of the kernel.*set HOME/);
    }
  });

  it("[P8] [P50] a granted write to a protected file stays, and its read-only mount with it, while a command runs in the background", async () => {
    writeFileSync(join(place.path, ".env"), "old\n");
    const approver = scriptedApprover("allow");
    const session = await openSession({ workspace: place.path, approver, tools: ["read", "write", "start_command", "cancel_command"] });
    const started = await session.call({ callId: "task", toolId: "start_command", input: { command: "until grep -q new .env; do sleep 0.05; done; echo forged > .env; echo tried; sleep 60", yieldTimeMs: 0 } });
    const taskId = String(Object(started.data)["taskId"]);
    await session.call({ callId: "seen", toolId: "read", input: { path: ".env" } });
    for (const path of [".env", ".env.local"]) {
      const written = await session.call({ callId: path, toolId: "write", input: { path, content: "new\n", ...writeGrant(path) } });
      expect(resultText(written)).toMatch(/^(Overwrote|Created) /);
    }
    await vi.waitFor(() => expect(readFileSync(join(place.path, ".env"), "utf8")).toBe("new\n"));
    await new Promise((resolve) => setTimeout(resolve, 1000));
    const ended = await session.call({ callId: "end", toolId: "cancel_command", input: { taskId } });
    expect(ended.status).toBe("succeeded");
    await session.close();
    const contents = [".env", ".env.local"].map((name) => readFileSync(join(place.path, name), "utf8"));
    expect(contents).toEqual(["new\n", "new\n"]);
  });

  it("[P4] in accept-edits bash writes the temp roots and not the workspace, without a card; with a grant it does", async () => {
    const approver = scriptedApprover("allow");
    const session = await openSession({ workspace: place.path, approver, mode: "accept-edits", tools: ["bash"] });
    const refused = await session.call({ callId: "1", toolId: "bash", input: { command: "echo b > b.txt" } });
    expect([refused.sandboxDenied, existsSync(join(place.path, "b.txt")), approver.cards.length]).toEqual([true, false, 0]);
    const grant = { sandboxPermissions: { paths: [{ path: ".", access: "write", scope: "subtree" }] }, justification: "to write b" };
    await session.call({ callId: "2", toolId: "bash", input: { command: "echo b > b.txt", ...grant } });
    expect(existsSync(join(place.path, "b.txt"))).toBe(true);
    await session.close();
  });

  it("[T26] what a session spilled is removed with it, or kept where the host wants that", async () => {
    const spills = (): readonly string[] => (existsSync(join(place.home, ".fencepost/spill")) ? readdirSync(join(place.home, ".fencepost/spill")) : []);
    const long = { command: "seq 1 10000" };
    const session = await openSession({ workspace: place.path, tools: ["bash"], sessionId: "short" });
    const result = await session.call({ callId: "1", toolId: "bash", input: long });
    const path = /saved at (\S+) /.exec(resultText(result))?.[1] ?? "";
    expect(readFileSync(path, "utf8").split("\n")).toHaveLength(10_001);
    await session.close();
    expect(spills()).toEqual([]);
    const kept = await openSession({ workspace: place.path, tools: ["bash"], sessionId: "kept", keepSpill: true });
    await kept.call({ callId: "1", toolId: "bash", input: long });
    await kept.close();
    expect(spills()).toEqual(["kept"]);
  });

  it("[T11] closing ends a running command and leaves nothing behind", async () => {
    const session = await openSession({ workspace: place.path, tools: ["bash"] });
    let heard = "";
    const ready = deferred<void>();
    const running = session.call({
      callId: "1",
      toolId: "bash",
      input: { command: "echo up; sleep 60; touch late.txt" },
      onProgress: (event) => {
        heard += event.text;
        ready.resolve();
      },
    });
    await ready.promise;
    await session.close();
    expect((await running).status).toBe("cancelled");
    expect(heard).toContain("up");
    expect(existsSync(join(place.path, "late.txt"))).toBe(false);
  });

  it("has the seven tools, all of them at work, and its model is told once of a background command that ended", async () => {
    const model = scriptedModel([{ text: "One." }, { text: "Two." }, { text: "Three." }]);
    const session = await openSession({ workspace: place.path, model, tools: [...defaultPreset.tools, "start_command"] });
    expect(session.definitions.map(({ id }) => id)).toEqual(["read", "write", "edit", "grep", "glob", "list", "bash", "start_command", "update_plan"]);
    const inputs = [
      { toolId: "write", input: { path: "n.txt", content: "needle\n" } },
      { toolId: "read", input: { path: "n.txt" } },
      { toolId: "edit", input: { filePath: "n.txt", oldString: "needle", newString: "needles" } },
      { toolId: "grep", input: { pattern: "needles" } },
      { toolId: "glob", input: { pattern: "n.*" } },
      { toolId: "list", input: {} },
      { toolId: "bash", input: { command: "cat n.txt" } },
    ];
    for (const [index, call] of inputs.entries()) {
      const result = await session.call({ callId: String(index), ...call });
      expect([call.toolId, result.status]).toEqual([call.toolId, "succeeded"]);
      if (["grep", "glob", "list", "bash"].includes(call.toolId)) expect(resultText(result)).toMatch(/needles|n\.txt/);
    }
    await session.prompt("a");
    const started = await session.call({ callId: "task", toolId: "start_command", input: { command: "sleep 0.2; echo finished", yieldTimeMs: 0 } });
    expect(started.status).toBe("succeeded");
    for (let turn = 0; turn < 100 && !taskNotes(session).length; turn += 1) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      await session.prompt("b");
    }
    await session.prompt("c");
    expect(taskNotes(session)).toEqual([expect.stringContaining("finished")]);
    await session.close();
  });

  it("[P35] [P37] an explorer has the narrower mode, reads, changes nothing with bash, and cannot escalate", async () => {
    const escalate = { command: "echo x > child.txt", sandboxPermissions: { paths: [{ path: ".", access: "write", scope: "subtree" }] }, justification: "x" };
    const child = scriptedModel([{ calls: [{ toolId: "bash", input: { command: "cat n.txt; echo x > child.txt" } }, { toolId: "bash", input: escalate }, { toolId: "write", input: { path: "child.txt", content: "x" } }] }, { text: "Seen." }]);
    const model = scriptedModel([{ calls: [{ toolId: "spawn_agent", input: { task_name: "eye", message: "look" } }] }, { calls: [{ toolId: "wait_agent", input: {} }] }, { text: "Done." }]);
    const store = createMemoryStore();
    const approver = scriptedApprover("allow");
    const session = await openSession({ workspace: place.path, model, store, approver, agents: { model: child } });
    expect((await session.prompt("go")).outcome).toEqual({ status: "completed", text: "Done." });
    const [agent] = await store.sessions({ parentId: session.id });
    expect(agent?.mode).toBe("accept-edits");
    const results = (await store.messages(agent?.sessionId ?? "")).flatMap(({ message }) => (message.role === "tool" ? [resultText(message)] : []));
    expect(results[0]).toContain("needles");
    expect(results[0]).toContain("[sandbox: file access denied under accept-edits mode]");
    expect(results[0]).toContain("a child session cannot ask for permission");
    expect(results[1]).toContain("nobody to ask");
    expect(results[2]).toContain("There is no tool");
    expect([existsSync(join(place.path, "child.txt")), approver.cards]).toEqual([false, []]);
    await session.close();
  });

  it("[C19] an explorer starts nobody and keeps no plan, and its turn ends after 15 model calls", async () => {
    const offered: string[][] = [];
    let asked = 0;
    const child: ModelPort = {
      id: "endless",
      async *stream({ tools }): AsyncGenerator<ModelEvent> {
        offered.push(tools.map(({ id }) => id));
        asked += 1;
        yield { type: "tool_call", modelCallId: "1", toolId: "list", input: JSON.stringify({ offset: asked }) };
        yield { type: "finish", reason: "tool_calls" };
      },
    };
    const model = scriptedModel([{ calls: [{ toolId: "spawn_agent", input: { task_name: "eye", message: "look" } }] }, { calls: [{ toolId: "wait_agent", input: {} }] }, { text: "Done." }]);
    const session = await openSession({ workspace: place.path, model, agents: { model: child } });
    await session.prompt("go");
    expect([asked, new Set(offered.map((ids) => ids.join()))]).toEqual([15, new Set(["read,grep,glob,list,bash"])]);
    const heard = session.messages.flatMap((message) => (message.role === "note" && message.kind === "mailbox" ? [message.text] : []));
    expect(heard).toEqual([expect.stringContaining("agent eye failed (max_model_calls)")]);
    await session.close();
  });

  it("[T1] a host's own tool is called like any other, and not where its name is one of the session's own", async () => {
    const shout = defineTool({
      id: "shout",
      description: "Says it loudly.",
      risk: "read_only",
      capabilities: ["session.read"],
      family: "host",
      stability: "stable",
      inputSchema: Type.Object({ text: Type.String() }, { additionalProperties: false }),
      examples: [{ text: "hi" }],
      execute: async (_session, _call, { text }) => succeeded(text.toUpperCase()),
    });
    const registry = builtinRegistry().register(shout);
    const model = scriptedModel([{ calls: [{ toolId: "shout", input: { text: "hi" } }] }, { text: "Done." }]);
    const session = await openSession({ workspace: place.path, model, registry, tools: ["read", "shout"] });
    expect(session.definitions.map(({ id }) => id)).toEqual(["read", "shout", "update_plan"]);
    await session.prompt("go");
    expect(session.messages.flatMap((message) => (message.role === "tool" ? [resultText(message)] : []))).toEqual(["HI"]);
    await session.close();
    const taken = builtinRegistry().register({ ...shout, id: "update_plan" });
    await expect(openSession({ workspace: place.path, model, registry: taken, tools: ["update_plan"] })).rejects.toThrow(/update_plan has the name of one of the session's own tools/);
  });

  it("searches with what it is given, and leaves that open for others when it is closed", async () => {
    writeFileSync(join(place.path, "found.txt"), "needle\n");
    const inner = createLocalSearchBackend();
    const patterns: string[] = [];
    const search: SearchBackend = { ...inner, grep: (request, events) => (patterns.push(request.pattern), inner.grep(request, events)) };
    for (const pattern of ["needle", "need"]) {
      const session = await openSession({ workspace: place.path, search, tools: ["grep"] });
      expect(resultText(await session.call({ callId: pattern, toolId: "grep", input: { pattern, path: "found.txt" } }))).toBe("found.txt\n1:needle");
      await session.close();
    }
    expect(patterns).toEqual(["needle", "need"]);
    await search.close();
  });

  it("a workspace that is none, and a tool that does not exist, are one clear line", async () => {
    await expect(openSession({ workspace: join(place.path, "missing") })).rejects.toThrow(/does not exist/);
    await expect(openSession({ workspace: place.path, tools: ["fly"] })).rejects.toThrow(/unknown tool "fly"/);
  });
});

function taskNotes(session: AgentSession): readonly string[] {
  return session.messages.flatMap((message) => (message.role === "note" && message.kind === "task" ? [message.text] : []));
}
