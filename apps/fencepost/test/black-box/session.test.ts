import { execFileSync } from "node:child_process";
import { cpSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { resultText, type ToolResult } from "@fencepost/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildCommand } from "./built-command.ts";
import { startHost, type JsonlHost } from "./jsonl-host.ts";
import { createWorld, type World } from "./world.ts";

// A real repository of some size: the sources of a large package from npm.
const sources = fileURLToPath(new URL("../../../../node_modules/typescript/lib", import.meta.url));

let world: World;
let host: JsonlHost;

beforeAll(async () => {
  buildCommand();
  world = createWorld();
  cpSync(sources, `${world.workspace}/lib`, { recursive: true, dereference: true });
  world.file("work space/.gitignore", "ignored/\n");
  world.file("work space/ignored/x.ts", "ScriptTarget in an ignored file\n");
  world.file("work space/src/new.ts", "export const one = 1;\nexport const two = 2;\n");
  const git = (...args: string[]): void => void execFileSync("git", ["-C", world.workspace, "-c", "user.name=t", "-c", "user.email=t@t", ...args]);
  git("init", "-q");
  git("add", "src", ".gitignore");
  git("commit", "-qm", "first");
  host = await startHost(world, ["--progress"]);
});

afterAll(async () => {
  host.end();
  await host.exited;
  world.remove();
});

const text = async (tool: string, input: object): Promise<string> => resultText(await host.call(tool, input));

function sorted(lines: string): readonly string[] {
  return lines
    .split("\n")
    .filter((line) => /:\d+$/.test(line))
    .toSorted();
}

describe("the seven tools on a real repository, through lines", () => {
  it("says first who it is and what holds", () => {
    const { ready } = host.messages[0] ?? {};
    expect(ready).toMatchObject({ protocol: 1, workspace: world.workspace, mode: "auto", sandbox: { available: true, reason: null } });
    expect(ready?.session).toMatch(/^[A-Za-z0-9_-]+$/);
  });

  it("[T1] lists, globs and greps what git would, nothing that is ignored", async () => {
    expect(await text("list", {})).toBe(".git/\n.gitignore\nignored/\nlib/\nsrc/");
    expect(await text("glob", { pattern: "**/new.ts" })).toBe("src/new.ts");
    const oracle = execFileSync("git", ["-C", world.workspace, "grep", "--untracked", "-c", "ScriptTarget"], { encoding: "utf8" });
    const counts = await text("grep", { pattern: "ScriptTarget", outputMode: "count" });
    expect(sorted(counts)).toEqual(sorted(oracle));
  });

  it("reads, edits, runs, undoes and reapplies", async () => {
    expect(await text("edit", { filePath: "src/new.ts", oldString: "one = 1", newString: "one = 11" })).toContain("Read src/new.ts before editing it");
    expect(await text("read", { path: "src/new.ts" })).toBe("1\texport const one = 1;\n2\texport const two = 2;");
    const edited = await host.call("edit", { filePath: "src/new.ts", oldString: "one = 1", newString: "one = 11" }, "edit-1");
    expect(resultText(edited)).toBe("Edited src/new.ts:1 (+1 -1)");
    expect(edited.artifacts).toMatchObject([{ kind: "file_change", payload: { changeId: "edit-1", additions: 1, deletions: 1 } }]);
    expect(await text("write", { path: "src/deep/er/made.ts", content: "a\nb\n" })).toBe("Created src/deep/er/made.ts (+2)");
    expect(await text("bash", { command: "git status --porcelain && git diff --stat | tail -1" })).toMatch(/ M src\/new\.ts\n\?\? lib\/\n\?\? src\/deep\/\n 1 file changed, 1 insertion\(\+\), 1 deletion\(-\)\n\[exit 0; duration \d+ ms\]/);

    const real = `${world.workspace}/src/new.ts`;
    host.send({ id: "u", undo: ["edit-1"] });
    expect((await host.when((message) => message.id === "u")).result).toEqual({ changed: [real], conflicts: [] });
    expect(readFileSync(real, "utf8")).toContain("one = 1;");
    host.send({ id: "r", reapply: ["edit-1"] });
    expect((await host.when((message) => message.id === "r")).result).toEqual({ changed: [real], conflicts: [] });
    expect(readFileSync(real, "utf8")).toContain("one = 11;");

    world.file("work space/src/new.ts", "someone else\n");
    host.send({ id: "u2", undo: ["edit-1"] });
    expect((await host.when((message) => message.id === "u2")).result).toEqual({ changed: [], conflicts: [real] });
    expect(readFileSync(real, "utf8")).toBe("someone else\n");
    host.send({ id: "u3", undo: ["no-such-change"] });
    expect((await host.when((message) => message.id === "u3")).error?.message).toContain("no-such-change");
  });

  it("[T26] long output is kept in a file that read and grep open, and no tool writes", async () => {
    const result = await host.call("bash", { command: "for i in $(seq 1 20000); do echo \"line $i of many\"; done" }, "spill-1");
    const shown = resultText(result);
    expect(Buffer.byteLength(shown)).toBeLessThanOrEqual(32_000);
    expect(shown.startsWith("line 1 of many\n")).toBe(true);
    expect(shown).toContain("line 20000 of many\n[exit 0; ");
    const path = /Full output saved at (\S+) — use read/.exec(shown)?.[1] ?? "";
    expect(path.startsWith(`${world.home}/.fencepost/spill/`)).toBe(true);
    expect(await text("read", { path, offset: 10_000, limit: 1 })).toContain("10000\tline 10000 of many");
    expect(await text("grep", { pattern: "^line 1999[0-9] ", path, outputMode: "content" })).toContain("19995:line 19995 of many");
    expect((await host.call("write", { path, content: "x" })).status).toBe("denied");
    expect((await host.call("bash", { command: `echo x > '${path}'` })).sandboxDenied).toBe(true);
    const many = await text("grep", { pattern: "e", path: "lib", outputMode: "content" });
    expect(many).toMatch(/\[showing 250 of \d+ matching lines in \d+ files; full list saved to \S+\]$/);
  });

  it("sends progress while a command runs, and one result", async () => {
    await host.call("bash", { command: "echo first; sleep 0.2; echo second" }, "progress-1");
    const mine = host.messages.filter((message) => message.id === "progress-1");
    expect(mine.at(-1)?.result).toBeDefined();
    expect(mine.slice(0, -1).map((message) => message.progress?.text).join("")).toBe("first\nsecond\n");
  });

  it("queues calls and cancels the running one at once, without waiting for it", async () => {
    host.send({ id: "long", tool: "bash", input: { command: "sleep 60" } }, { id: "after", tool: "bash", input: { command: "echo after" } });
    await host.when((message) => message.id === "progress-1");
    host.send({ id: "stop", cancel: "long" });
    expect((await host.when((message) => message.id === "stop")).result).toEqual({ cancelled: true });
    expect((await host.when((message) => message.id === "long" && message.result !== undefined)).result).toMatchObject({ status: "cancelled", error: { code: "cancelled" } });
    const after: ToolResult | undefined = (await host.when((message) => message.id === "after" && message.result !== undefined)).result;
    expect(after && resultText(after)).toMatch(/^after\n/);
  });

  it("[T4] answers what it does not know, and goes on", async () => {
    host.send("not json", "[1,2]", '{"id":"spill-1","tool":"list"}', { id: "odd", tool: "list", extra: 1 });
    expect(await host.call("teleport", {})).toMatchObject({ status: "failed", error: { code: "tool_not_found" } });
    const bad = await host.call("read", { path: "src/new.ts", offset: "x" });
    expect(bad).toMatchObject({ status: "failed", error: { code: "invalid_arguments", retryable: true } });
    expect(resultText(bad)).toMatch(/^invalid tool input: .*offset/);
    const errors = host.messages.filter((message) => message.error).map((message) => [message.id, message.error?.code]);
    expect(errors).toEqual(expect.arrayContaining([[null, "invalid_arguments"], ["spill-1", "invalid_arguments"], ["odd", "invalid_arguments"]]));
    expect(await text("list", { path: "src" })).toContain("new.ts");
  });

  it("answers every request exactly once", () => {
    const answers = host.messages.filter((message) => (message.result ?? message.error) !== undefined && typeof message.id === "string" && message.error?.code !== "invalid_arguments");
    const ids = answers.map((message) => message.id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("leaves the spill only as long as the session lives", async () => {
    const other = await startHost(world);
    const id = other.messages[0]?.ready?.session ?? "";
    await other.call("bash", { command: "seq 1 20000" });
    expect(readdirSync(`${world.home}/.fencepost/spill`)).toContain(id);
    other.end();
    expect((await other.exited).code).toBe(0);
    expect(existsSync(`${world.home}/.fencepost/spill/${id}`)).toBe(false);
  });
});
