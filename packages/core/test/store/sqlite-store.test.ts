import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { openSqliteStore } from "../../src/store/sqlite/open-sqlite-store.ts";
import { currentOwner, isGone } from "../../src/store/sqlite/process-owner.ts";
import { testSessionStore } from "../../src/testing/session-store-suite.ts";

const directories: string[] = [];

function newPath(): string {
  const directory = mkdtempSync(join(tmpdir(), "fencepost-store-"));
  directories.push(directory);
  return join(directory, "state", "sessions.db");
}

testSessionStore("on SQLite", async () => {
  const path = newPath();
  return {
    open: () => openSqliteStore(path),
    remove: async () => rmSync(join(path, "../.."), { recursive: true, force: true }),
  };
});

const session = { sessionId: "s1", workspace: "/w", mode: "auto", createdAt: 1 } as const;
const turn = { turnId: "t1", sessionId: "s1", startedAt: 1, messages: [{ role: "user", text: "hi" }] } as const;

describe("the SQLite file", () => {
  it("is its owner's alone, and so are the logs beside it", async () => {
    const path = newPath();
    const store = await openSqliteStore(path);
    await store.createSession(session);
    for (const suffix of ["", "-wal", "-shm"]) expect(statSync(path + suffix).mode & 0o777).toBe(0o600);
    expect(statSync(join(path, "..")).mode & 0o777).toBe(0o700);
    await store.close();
    rmSync(join(path, "../.."), { recursive: true, force: true });
  });

  it("[C12] a turn of a process that is gone is interrupted at the next start, with its spans, and the next turn works", async () => {
    const path = newPath();
    const store = await openSqliteStore(path);
    await store.createSession(session);
    await store.beginTurn(turn);
    await store.saveSpan({ sessionId: "s1", callId: "c1", toolId: "bash", mode: "auto", sandboxMode: "auto", sessionModeOrigin: "default", startedAt: 1, status: "running", escalationPaths: [], permissionWaitMs: 0, sandboxDenied: false, durationMs: 0, inputBytes: 0, resultBytes: 0 });
    await store.close();
    const database = new Database(path);
    database.exec("UPDATE turns SET owner = '999999999 1 x'; UPDATE spans SET owner = '999999999 1 x'");
    database.close();
    const next = await openSqliteStore(path);
    expect((await next.recover()).map(({ turnId, outcome }) => [turnId, outcome])).toEqual([["t1", { status: "interrupted" }]]);
    expect(await next.recover()).toEqual([]);
    expect((await next.spans("s1"))[0]?.status).toBe("outcome_unknown");
    expect(await next.beginTurn({ ...turn, turnId: "t2" })).toEqual({ kind: "started", precededBy: 1 });
    await next.close();
    rmSync(join(path, "../.."), { recursive: true, force: true });
  });

  it("one that a newer version wrote is refused and left as it is", async () => {
    const path = newPath();
    await (await openSqliteStore(path)).close();
    const database = new Database(path);
    database.pragma("user_version = 999");
    database.close();
    await expect(openSqliteStore(path)).rejects.toThrow(/newer version/);
    rmSync(join(path, "../.."), { recursive: true, force: true });
  });

  it("knows this process as alive, and a reused number as another process", () => {
    const owner = currentOwner();
    expect(isGone(owner)).toBe(false);
    const [pid, , boot] = owner.split(" ");
    expect(isGone(`${pid} 1 ${boot}`)).toBe(true);
    expect(isGone(`${pid} 1 another-boot`)).toBe(true);
    expect(isGone("nonsense")).toBe(true);
  });
});
