import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { deferred } from "../../src/async/deferred.ts";
import type { ModelEvent, ModelPort } from "../../src/model/model-port.ts";
import { openSession } from "../../src/session/open-session.ts";
import { createMemoryStore } from "../../src/store/memory-store.ts";
import type { SessionStore } from "../../src/store/session-store.ts";
import { scriptedModel } from "../../src/model/scripted-model.ts";
import { realWorkspace } from "../doubles/real-workspace.ts";
import { scriptedApprover } from "../doubles/scripted-session.ts";

const place = realWorkspace();
const tools = ["read", "write", "edit", "list", "bash"];
const at = (name: string): string => join(place.path, name);
const text = (name: string): string => readFileSync(at(name), "utf8");

describe("undo and reapply", () => {
  it("[T42] undoes create-then-edit in reverse, so that the file is gone, and reapplies in order", async () => {
    const session = await openSession({ workspace: place.path, tools });
    await session.call({ callId: "1", toolId: "write", input: { path: "sub/a.txt", content: "one\n" } });
    await session.call({ callId: "2", toolId: "edit", input: { filePath: "sub/a.txt", oldString: "one", newString: "two" } });
    expect(session.changes().map(({ changeId, kind, undone }) => [changeId, kind, undone])).toEqual([
      ["1", "created", false],
      ["2", "modified", false],
    ]);
    expect(await session.undo(["1", "2"])).toEqual({ changed: [at("sub/a.txt")], conflicts: [] });
    expect([existsSync(at("sub/a.txt")), existsSync(at("sub"))]).toEqual([false, false]);
    expect(session.changes().every(({ undone }) => undone)).toBe(true);
    expect((await session.undo(["2"])).error?.code).toBe("wrong_state");
    expect(await session.reapply(["2", "1"])).toEqual({ changed: [at("sub/a.txt")], conflicts: [] });
    expect(text("sub/a.txt")).toBe("two\n");
    expect((await session.reapply(["1"])).error?.code).toBe("wrong_state");
    await session.close();
    expect((await session.undo(["1"])).error?.code).toBe("closed");
  });

  it("[T41] a conflict in one file touches none, and unknown ids are named", async () => {
    const session = await openSession({ workspace: place.path, tools });
    await session.call({ callId: "1", toolId: "write", input: { path: "b.txt", content: "b\n" } });
    await session.call({ callId: "2", toolId: "write", input: { path: "c.txt", content: "c\n" } });
    writeFileSync(at("c.txt"), "user's\n");
    expect(await session.undo(["1", "2"])).toEqual({ changed: [], conflicts: [at("c.txt")] });
    expect([text("b.txt"), text("c.txt")]).toEqual(["b\n", "user's\n"]);
    const unknown = await session.undo(["1", "nope"]);
    expect(unknown.error?.code).toBe("unknown_change");
    expect(unknown.error?.message).toContain('"nope"');
    expect(text("b.txt")).toBe("b\n");
    expect((await session.undo([])).error?.code).toBe("invalid_request");
    await session.close();
  });

  it("undo reaches a file that was written with a grant; hooks stay closed; running calls come first", async () => {
    const session = await openSession({ workspace: place.path, tools, approver: scriptedApprover("allow") });
    const grant = { sandboxPermissions: { paths: [{ path: ".env", access: "write", scope: "exact" }] }, justification: "to set it" };
    expect((await session.call({ callId: "1", toolId: "write", input: { path: ".env", content: "A=1\n", ...grant } })).status).toBe("succeeded");
    const running = session.call({ callId: "2", toolId: "bash", input: { command: "true" } });
    expect((await session.undo(["1"])).error?.code).toBe("busy");
    await running;
    expect(text(".env")).toBe("A=1\n");
    expect((await session.undo(["1"])).changed).toEqual([at(".env")]);
    expect(existsSync(at(".env"))).toBe(false);
    await session.close();
  });

  it("[C21] of two processes on one session, neither undoes while the other's turn runs, and each can undo what the other did", async () => {
    const store = createMemoryStore();
    const started = deferred<void>();
    const go = deferred<void>();
    const slow: ModelPort = {
      id: "slow",
      async *stream(): AsyncGenerator<ModelEvent> {
        started.resolve();
        await go.promise;
        yield { type: "finish", reason: "stop" };
      },
    };
    const writing = scriptedModel([{ calls: [{ toolId: "write", input: { path: "e.txt", content: "e\n" } }] }, { text: "Done." }]);
    const first = await openSession({ workspace: place.path, tools, store, model: writing, sessionId: "two" });
    const second = await openSession({ workspace: place.path, tools, store, model: slow, sessionId: "two" });
    await first.prompt("write");
    const turn = second.prompt("wait");
    await started.promise;
    const ids = first.changes().map(({ changeId }) => changeId);
    expect((await first.undo(ids)).error?.code).toBe("busy");
    expect(text("e.txt")).toBe("e\n");
    go.resolve();
    await turn;
    expect((await second.undo(ids)).changed).toEqual([at("e.txt")]);
    await first.close();
    await second.close();
  });

  it("an undo or a switch of mode that the store refuses to keep has happened all the same, and is told", async () => {
    const store = createMemoryStore();
    const broken: SessionStore = { ...store, markChanges: () => Promise.reject(new Error("disk full")), setMode: () => Promise.reject(new Error("disk full")) };
    const warnings: string[] = [];
    const session = await openSession({ workspace: place.path, tools, store: broken, onWarning: (warning) => void warnings.push(warning) });
    await session.call({ callId: "1", toolId: "write", input: { path: "d.txt", content: "d\n" } });
    expect(await session.undo(["1"])).toEqual({ changed: [at("d.txt")], conflicts: [] });
    session.setMode("accept-edits");
    expect([session.mode, session.changes()[0]?.undone, existsSync(at("d.txt"))]).toEqual(["accept-edits", true, false]);
    await session.close();
    expect(warnings).toEqual([expect.stringContaining("what was undone could not be stored"), expect.stringContaining("the mode could not be stored")]);
  });

  it("[T40] [P42] a resumed session has its mode, its conversation and the same diff, and can undo it", async () => {
    const store = createMemoryStore();
    mkdirSync(at("src"), { recursive: true });
    writeFileSync(at("src/x.ts"), "const a = 1;\n");
    chmodSync(at("src/x.ts"), 0o755);
    const model = scriptedModel([
      { calls: [{ toolId: "read", input: { path: "src/x.ts" } }, { toolId: "edit", input: { filePath: "src/x.ts", oldString: "1", newString: "2" } }] },
      { text: "Done." },
    ]);
    const first = await openSession({ workspace: place.path, tools, store, model, sessionId: "s" });
    first.setMode("accept-edits");
    expect((await first.prompt("edit it")).outcome).toEqual({ status: "completed", text: "Done." });
    const changes = first.changes();
    await first.close();
    const second = await openSession({ workspace: place.path, tools, store, model, sessionId: "s" });
    expect([second.mode, second.messages, second.changes()]).toEqual(["accept-edits", first.messages, changes]);
    expect((await second.undo(changes.map(({ changeId }) => changeId))).changed).toEqual([at("src/x.ts")]);
    expect(text("src/x.ts")).toBe("const a = 1;\n");
    await second.close();
    const third = await openSession({ workspace: place.path, tools, store, model, sessionId: "s" });
    expect(third.changes()).toEqual(changes.map((change) => ({ ...change, undone: true })));
    await third.close();
    await expect(openSession({ workspace: place.home, tools, store, model, sessionId: "s" })).rejects.toThrow(/belongs to the workspace/);
  });
});
