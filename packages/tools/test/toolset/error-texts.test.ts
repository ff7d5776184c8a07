import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { resultText } from "@fencepost/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { builtinRegistry } from "../../src/builtin/builtin-registry.ts";
import type { FinalizedToolset } from "../../src/toolset/finalized-toolset.ts";
import { makeTestPlace, type TestPlace } from "./test-place.ts";

let place: TestPlace;
let toolset: FinalizedToolset;

beforeAll(async () => {
  place = await makeTestPlace();
  const at = (name: string): string => join(place.workspace, name);
  for (const directory of ["dir", "full", ".git/hooks"]) mkdirSync(at(directory), { recursive: true });
  mkdirSync(join(place.home, ".ssh"));
  writeFileSync(join(place.home, ".ssh/id"), "secret");
  for (const [name, content] of [["unread.txt", "x\n"], ["nul.bin", "a\0b\n"], ["latin1.txt", Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x0a])], ["short.txt", "1\n2\n"], ["twice.txt", "same\nsame\n"], ["locked.txt", "x\n"], ["full/x", ""]] as const) writeFileSync(at(name), content);
  writeFileSync(at("huge.txt"), "");
  truncateSync(at("huge.txt"), 2 * 1024 * 1024);
  chmodSync(at("locked.txt"), 0o444);
  symlinkSync("nowhere", at("gone"));
  symlinkSync("loop", at("loop"));
  execFileSync("/usr/bin/mkfifo", [at("fifo")]);
  const registry = builtinRegistry();
  toolset = registry.finalize({ tools: registry.ids }, place.session);
  for (const path of ["twice.txt", "short.txt", "locked.txt"]) await toolset.call({ toolId: "read", input: { path } }, place.call());
});

afterAll(() => place.remove());

/** Tool, input, and what the text has to say: the fault, and after it the way on. */
const rows: readonly (readonly [string, Record<string, unknown>, RegExp])[] = [
  ["read", { path: "absent.txt" }, /^absent\.txt does not exist\. Use glob to find the file\.$/],
  ["read", { path: "gone" }, /symlink to nowhere, which does not exist\. Use glob/],
  ["read", { path: "loop" }, /loop of symlinks\. Name the file itself/],
  ["read", { path: "dir" }, /directory.*\b[Uu]se list/s],
  ["read", { path: "fifo" }, /\. \S.+/],
  ["read", { path: "/dev/zero" }, /device.*\. \S.+/s],
  ["read", { path: "nul.bin" }, /NUL.*\. \S.+/s],
  ["read", { path: "latin1.txt" }, /UTF-8.*\. \S.+/s],
  ["read", { path: "short.txt", offset: 9 }, /9.*\b(?:[Uu]se|offset)\b/s],
  ["read", { path: "short.txt", limit: 2001 }, /`limit` was 2001; expected a whole number from 1 to 2000/],
  ["read", { path: "~/.ssh/id" }, /read access to .+ denied.*\[sandbox: to proceed, /s],
  ["write", { path: "unread.txt", content: "" }, /^Read unread\.txt before editing it\.$/],
  ["write", { path: ".env", content: "" }, /write access to \.env denied.*retry this call once with sandboxPermissions/s],
  ["write", { path: "/outside", content: "" }, /write access to \/outside denied.*retry this call once/s],
  ["write", { path: ".git/hooks/x", content: "" }, /do not retry\]$/],
  ["write", { path: "gone", content: "" }, /nothing is created through a symlink\. Use nowhere itself, or remove the link first\.$/],
  ["write", { path: "dir", content: "" }, /directory.*\. \S.+|folder.*\. \S.+/s],
  ["write", { path: "locked.txt", content: "y" }, /(?:write|read-only|permission).*\. \S.+/s],
  ["write", { path: "huge.txt", content: "y" }, /1 MiB|1,048,576|1048576|larger/],
  ["edit", { filePath: "absent.txt", oldString: "a", newString: "b" }, /^absent\.txt does not exist\. \S.+/],
  ["edit", { filePath: "unread.txt", oldString: "x", newString: "y" }, /^Read unread\.txt before editing it\.$/],
  ["edit", { filePath: "twice.txt", oldString: "same", newString: "other" }, /2.*replaceAll/s],
  ["edit", { filePath: "twice.txt", oldString: "same", newString: "same" }, /\. \S.+|; \S.+/s],
  ["edit", { filePath: "twice.txt", oldString: "absent", newString: "b" }, /\. \S.+/s],
  ["edit", { filePath: "twice.txt", oldString: "", newString: "b" }, /exists.*\. \S.+/s],
  ["edit", { filePath: "nul.bin", oldString: "a", newString: "b" }, /NUL/],
  ["rename_file", { from: "absent.txt", to: "x" }, /^absent\.txt does not exist\. Use glob/],
  ["rename_file", { from: "short.txt", to: "twice.txt" }, /never overwrites\. Choose another name/],
  ["rename_file", { from: "short.txt", to: "none/x" }, /makes none\. Use a directory that exists/],
  ["rename_file", { from: "dir", to: "x" }, /^dir is a directory.*\. Use list/],
  ["rename_file", { from: "short.txt", to: ".git/hooks/x" }, /do not retry\]$/],
  ["delete_file", { path: "absent.txt" }, /^absent\.txt does not exist\. Use glob/],
  ["delete_file", { path: "unread.txt" }, /^Read unread\.txt before editing it\.$/],
  ["delete_file", { path: "locked.txt" }, /read-only.*\. Ask the user/],
  ["delete_file", { path: "nul.bin" }, /NUL.*; use bash/],
  ["delete_file", { path: "huge.txt" }, /over 1 MiB.*\. Use bash/],
  ["apply_patch", { patch: "nothing" }, /names no file\. Start each file with/],
  ["apply_patch", { patch: "--- a/short.txt\n+++ b/short.txt\n" }, /no hunk\. Write "@@/],
  ["apply_patch", { patch: "--- a/short.txt\n+++ b/short.txt\n@@ -1 +1 @@\n-absent\n+x\n" }, /was not found.*\. Read the file again/s],
  ["apply_patch", { patch: "--- a/twice.txt\n+++ b/twice.txt\n@@ -1 +1 @@\n-same\n+x\n" }, /fits at 2 places.*\. Add more unchanged lines/],
  ["apply_patch", { patch: "--- a/absent.txt\n+++ b/absent.txt\n@@ -1 +1 @@\n-a\n+x\n" }, /does not exist.*\. Use glob/],
  ["apply_patch", { patch: "--- a/unread.txt\n+++ b/unread.txt\n@@ -1 +1 @@\n-x\n+y\n" }, /^Read unread\.txt before editing it\.$/],
  ["apply_patch", { patch: "--- a/short.txt\n+++ b/other.txt\n@@ -1 +1 @@\n-1\n+x\n" }, /without rename lines\. To rename, write/],
  ["apply_patch", { patch: "--- a/../x\n+++ b/../x\n@@ -1 +1 @@\n-1\n+x\n" }, /must be relative to the working directory, without "\.\."/],
  ["grep", { pattern: "(" }, /\. \S|; \S|write/],
  ["grep", { pattern: "a(?=b)" }, /look-ahead|look-around/],
  ["grep", { pattern: "x", path: "absent" }, /^absent does not exist\. Use list on \., or glob/],
  ["grep", { pattern: "x", path: "fifo" }, /\. \S/],
  ["glob", { pattern: "/etc/*" }, /path/],
  ["glob", { pattern: "*", path: "short.txt" }, /directory.*\. \S|folder.*\. \S/],
  ["list", { path: "absent" }, /^absent does not exist\. Use list on \., or glob/],
  ["list", { path: "short.txt" }, /not a directory\. Use read/],
  ["list", { path: "full", offset: 5 }, /offset 5 is past the end\. Use an offset/],
  ["bash", { command: "a\0b" }, /NUL/],
  ["bash", { command: "true", workdir: "absent" }, /^The working directory absent does not exist.*\. Pass another workdir/],
  ["bash", { command: "true", workdir: "short.txt" }, /not a directory\. Pass a directory/],
];

describe("[T44] every error text names the next step", () => {
  it.each(rows)("%s %j", async (toolId, input, expected) => {
    const result = await toolset.call({ toolId, input }, place.call());
    const text = resultText(result);
    expect(result.status).not.toBe("succeeded");
    expect(text).toMatch(expected);
    expect(result.error?.message).toBe(text);
    expect(text).not.toMatch(/undefined|\[object|ENOENT|EISDIR|\n {4}at /);
    expect(text).not.toContain(place.workspace);
  });
});
