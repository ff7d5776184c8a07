import { resolveEnvironment, SandboxPolicy } from "@fencepost/sandbox";
import { isFileChangeArtifact, resultText, type FileChange, type ToolResult } from "@fencepost/contract";
import { expect, it } from "vitest";
import { builtinRegistry } from "../../src/builtin/builtin-registry.ts";
import type { SessionContext } from "../../src/context/session-context.ts";
import { defaultToolOptions } from "../../src/context/tool-options.ts";
import { createCommitJournal, parseRecord } from "../../src/files/commit-journal.ts";
import { createRecovery } from "../../src/files/local/recover-files.ts";
import { reapplyChanges, undoChanges, type MovedChanges } from "../../src/files/move-changes.ts";
import { createObservations } from "../../src/files/observations.ts";
import { isTemporaryName } from "../../src/files/temporary-name.ts";
import { createWriteLocks } from "../../src/files/write-locks.ts";
import { readAll, withFile, writeAll } from "../../src/files/read-all.ts";
import { createMemoryFileSystem, type Fault, type MemoryFileSystem } from "../../src/testing/index.ts";

const deep = process.env["FENCEPOST_DEEP"] === "1";

const environment = resolveEnvironment({ workspaceRoot: "/work", env: { HOME: "/home" } });
const policy = new SandboxPolicy({ mode: "auto", workspaceRoot: "/work", grants: [], environment, network: "host" });
const noSearch = (): Promise<never> => Promise.reject(new Error("no search here"));

function sessionOn({ fileSystem }: MemoryFileSystem): SessionContext {
  return {
    sessionId: "memory",
    workingDirectory: "/work",
    sandbox: { available: true },
    escalation: "possible",
    environment: {},
    fileSystem,
    processes: { start: () => Promise.resolve({ started: false, kind: "failed", message: "no commands here" }) },
    search: { close: () => Promise.resolve(), grep: noSearch, glob: noSearch },
    spill: undefined,
    observations: createObservations(),
    writeLocks: createWriteLocks(),
    journal: createCommitJournal(fileSystem, "/state/journal"),
    options: defaultToolOptions,
  };
}

async function put({ fileSystem }: MemoryFileSystem, path: string, text: string): Promise<void> {
  const file = await fileSystem.open(path, "create", 0o644);
  await writeAll(file, Buffer.from(text), path);
  await file.close();
}

const oldFiles = { "a.txt": "a\n1\n", "b.txt": "b\n2\n", "c.txt": "c\n3\n" };

interface World {
  readonly memory: MemoryFileSystem;
  readonly session: SessionContext;
  readonly call: (tool: string, input: unknown) => Promise<ToolResult>;
}

/** A disk with three files that one session has read. */
async function world(): Promise<World> {
  const memory = createMemoryFileSystem();
  for (const directory of ["/work", "/state", "/home"]) await memory.fileSystem.makeDirectory(directory);
  for (const [name, text] of Object.entries(oldFiles)) await put(memory, `/work/${name}`, text);
  const session = sessionOn(memory);
  const toolset = builtinRegistry().finalize({ tools: ["read", "write", "edit", "apply_patch", "rename_file", "delete_file"] }, session);
  const call = (toolId: string, input: unknown): Promise<ToolResult> =>
    toolset.call({ toolId, input }, { callId: "c", signal: new AbortController().signal, progress: () => undefined, policy });
  for (const name of Object.keys(oldFiles)) await call("read", { path: name });
  return { memory, session, call };
}

/** Every file of the workspace with its text, and every empty directory. */
async function snapshot({ fileSystem }: Pick<MemoryFileSystem, "fileSystem">, directory = "/work"): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  const entries = await fileSystem.readDirectory(directory);
  if (entries.length === 0) found[`${directory.slice("/work/".length)}/`] = "";
  for (const { name, kind } of entries) {
    const path = `${directory}/${name}`;
    if (kind === "directory") Object.assign(found, await snapshot({ fileSystem }, path));
    else found[path.slice("/work/".length)] = (await withFile(fileSystem, path, "read", (file) => readAll(file, 1024 * 1024)))?.bytes.toString() ?? "";
  }
  return found;
}

const patch = [
  "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n a\n-1\n+ONE\n",
  "--- a/b.txt\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-b\n-2\n",
  "diff --git a/c.txt b/d.txt\nrename from c.txt\nrename to d.txt\n--- a/c.txt\n+++ b/d.txt\n@@ -1,2 +1,2 @@\n c\n-3\n+THREE\n",
  "--- /dev/null\n+++ b/new/e.txt\n@@ -0,0 +1 @@\n+e\n",
].join("");

interface Case {
  readonly name: string;
  readonly tool: string;
  readonly input: unknown;
  readonly after: Record<string, string>;
}

const cases: readonly Case[] = [
  { name: "write of a new file", tool: "write", input: { path: "new/x.txt", content: "x\n" }, after: { ...oldFiles, "new/x.txt": "x\n" } },
  { name: "write over a file", tool: "write", input: { path: "a.txt", content: "new\n" }, after: { ...oldFiles, "a.txt": "new\n" } },
  { name: "edit", tool: "edit", input: { filePath: "b.txt", oldString: "2", newString: "two" }, after: { ...oldFiles, "b.txt": "b\ntwo\n" } },
  { name: "apply_patch", tool: "apply_patch", input: { patch }, after: { "a.txt": "a\nONE\n", "d.txt": "c\nTHREE\n", "new/e.txt": "e\n" } },
  { name: "rename_file", tool: "rename_file", input: { from: "a.txt", to: "z.txt" }, after: { "b.txt": oldFiles["b.txt"], "c.txt": oldFiles["c.txt"], "z.txt": oldFiles["a.txt"] } },
  { name: "delete_file", tool: "delete_file", input: { path: "a.txt" }, after: { "b.txt": oldFiles["b.txt"], "c.txt": oldFiles["c.txt"] } },
];

async function operationsOf({ tool, input }: Case): Promise<number> {
  const { memory, call } = await world();
  memory.inject(() => undefined);
  expect((await call(tool, input)).status).toBe("succeeded");
  return memory.operations;
}

it.each(cases)("[T43] $name: an error at any operation leaves the old files or the new ones, and nothing else", async (item) => {
  const total = await operationsOf(item);
  const failures = new Map<string, number>();
  for (let failing = 0; failing < total; failing++) {
    for (const code of deep ? codes : [codes[failing % codes.length] ?? "EIO"]) {
      const { memory, call } = await world();
      memory.inject((_operation, _path, count) => (count === failing ? { kind: "error", code } : undefined));
      const result = await call(item.tool, item.input);
      memory.inject(undefined);
      if (result.status !== "succeeded") failures.set(code, (failures.get(code) ?? 0) + 1);
      const expected = result.status === "succeeded" ? item.after : oldFiles;
      expect([code, failing, await visible(memory)]).toEqual([code, failing, expected]);
    }
  }
  expect([...failures.keys()].toSorted()).toEqual(codes.toSorted());
}, deep ? 600_000 : 60_000);

const codes = ["ENOSPC", "EIO", "EACCES"];

/** A temporary file that could not be removed is all that may stay beside: it is not listed, and the next start removes it. */
async function visible(memory: MemoryFileSystem): Promise<Record<string, string>> {
  return Object.fromEntries(Object.entries(await snapshot(memory)).filter(([name]) => !isTemporaryName(name.split("/").at(-1) ?? "")));
}

const changing = new Set(["open create", "open update", "write", "rename", "link", "unlink", "make directory", "remove directory", "truncate", "sync"]);

it.each(cases)("[T43] $name: where nothing can be written any more from some operation on, the next start makes it all old or all new", async (item) => {
  const total = await operationsOf(item);
  let stuck = 0;
  for (let failing = 0; failing < total; failing++) {
    const { memory, call } = await world();
    memory.inject((operation, _path, count) => (count >= failing && changing.has(operation) ? { kind: "error", code: "EIO" } : undefined));
    const result = await call(item.tool, item.input);
    if (result.status === "outcome_unknown") {
      stuck++;
      expect(resultText(result)).toMatch(/Taking back what was done before failed too: .+ now has the new content or another program's, or is missing\. Read these files and tell the user\.$/);
    }
    const next = memory.restart();
    await recover(next);
    const files = JSON.stringify(sorted(await visible(next)));
    expect([failing, [oldFiles, item.after].map((side) => JSON.stringify(sorted(side))).includes(files)], files).toEqual([failing, true]);
  }
  if (item.tool === "apply_patch") expect(stuck).toBeGreaterThan(0);
});

/** Undoes or reapplies what one call did, and counts the operations. */
async function moved(item: Case, move: "undo" | "reapply"): Promise<World & { readonly run: () => Promise<MovedChanges> }> {
  const place = await world();
  const result = await place.call(item.tool, item.input);
  const changes: readonly FileChange[] = result.artifacts.filter((artifact) => isFileChangeArtifact(artifact)).map((artifact) => artifact.payload);
  const undo = (): Promise<MovedChanges> => undoChanges(place.session, changes, policy);
  if (move === "reapply") expect((await undo()).conflicts).toEqual([]);
  return { ...place, run: move === "undo" ? undo : () => reapplyChanges(place.session, changes, policy) };
}

it.each(cases.flatMap((item) => (["undo", "reapply"] as const).map((move) => ({ ...item, move }))))("[T43] $move of $name: an error at any operation rolls back", async (item) => {
  const [from, to] = item.move === "undo" ? [item.after, oldFiles] : [oldFiles, item.after];
  const clean = await moved(item, item.move);
  clean.memory.inject(() => undefined);
  const start = clean.memory.operations;
  expect((await clean.run()).changed.length).toBeGreaterThan(0);
  expect(await visible(clean.memory)).toEqual(to);
  const total = clean.memory.operations - start;
  let failed = 0;
  for (let failing = 0; failing < total; failing++) {
    const code = codes[failing % codes.length] ?? "EIO";
    const { memory, run } = await moved(item, item.move);
    const first = memory.operations;
    memory.inject((_operation, _path, count) => (count === first + failing ? { kind: "error", code } : undefined));
    const { changed, error } = await run();
    memory.inject(undefined);
    if (error !== undefined) failed++;
    // A directory that could not be removed once its file is gone is no failure of the undo.
    const files = Object.fromEntries(Object.entries(await visible(memory)).filter(([name]) => !name.endsWith("/")));
    expect([code, failing, changed.length > 0, files]).toEqual([code, failing, error === undefined && changed.length > 0, changed.length > 0 ? to : from]);
  }
  expect(failed).toBeGreaterThan(0);
});

it.each(cases)("W-12 $name: short writes are gone on with", async (item) => {
  const { memory, call } = await world();
  memory.inject((operation) => (operation === "write" ? { kind: "short", bytes: 1 } : undefined));
  expect((await call(item.tool, item.input)).status).toBe("succeeded");
  memory.inject(undefined);
  expect(await snapshot(memory)).toEqual(item.after);
});

it("a write that takes no bytes at all is an error, not a loop", async () => {
  const { memory, call } = await world();
  const full: Fault = { kind: "short", bytes: 0 };
  memory.inject((operation, path) => (operation === "write" && path.startsWith("/work/") ? full : undefined));
  expect((await call("write", { path: "a.txt", content: "x" })).status).toBe("failed");
  memory.inject(undefined);
  expect(await snapshot(memory)).toEqual(oldFiles);
});

it.each(cases)("[T49] $name: a death between any two operations leaves each file old or new, and after recovery all of one kind", async (item) => {
  const total = await operationsOf(item);
  for (let crash = 0; crash < total; crash++) {
    const { memory, call } = await world();
    memory.inject((_operation, _path, count) => (count === crash ? { kind: "crash" } : undefined));
    await call(item.tool, item.input);
    const next = memory.restart();
    await recover(next);
    const files = JSON.stringify(sorted(await visible(next)));
    expect([crash, [oldFiles, item.after].map((side) => JSON.stringify(sorted(side))).includes(files)], files).toEqual([crash, true]);
  }
});

function sorted(files: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(files).toSorted(([left], [right]) => (left < right ? -1 : 1)));
}

/** What the next start does, for a disk that is not this machine's: every record is of a dead process. */
async function recover(memory: MemoryFileSystem): Promise<void> {
  const { fileSystem } = memory;
  const names = await fileSystem.readDirectory("/state/journal").catch(() => []);
  const recovery = createRecovery(fileSystem, "/state/journal");
  for (const { name } of names.filter((entry) => entry.name.endsWith(".json"))) {
    const text = (await withFile(fileSystem, `/state/journal/${name}`, "read", (file) => readAll(file, 1024 * 1024)))?.bytes.toString() ?? "";
    const record = parseRecord(text);
    if (record) await recovery.takeBack(record);
  }
}

const busy = (operation: string, path: string): Fault | undefined => (operation === "rename" && path.startsWith("/work/") ? { kind: "error", code: "EBUSY" } : undefined);

it("W-08 a file that is a mount point is written in place, and a death meanwhile is repaired", async () => {
  const { memory, call } = await world();
  memory.inject(busy);
  expect((await call("write", { path: "a.txt", content: "longer than before\n" })).status).toBe("succeeded");
  const total = memory.operations;
  for (let crash = 0; crash < total; crash++) {
    const again = await world();
    again.memory.inject((operation, path, count) => (count === crash ? { kind: "crash" } : operation === "write" && path === "/work/a.txt" ? { kind: "short", bytes: 3 } : busy(operation, path)));
    await again.call("write", { path: "a.txt", content: "longer than before\n" });
    const next = again.memory.restart();
    await recover(next);
    expect(["longer than before\n", oldFiles["a.txt"]]).toContain((await snapshot(next))["a.txt"]);
  }
});
