import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { walk } from "../../src/search/worker/walk.ts";
import { gitFiles } from "./list-files.ts";

// Ignore files as they are written by mistake, by other systems, or by somebody who wants to be misunderstood: git says
// what they mean.

const files = [
  "a b", "a ", "a  ", "a\\", "a\\b", "!a", "#a", "**foo", "xfoo", "foo/bar/baz", "foo ", "a/b/c", "a/x/b/y/c", "a/x/y/b", "a/**/b", "b", "dir/keep.txt", "dir/other.txt", "dir/sub/keep.txt", "x/dir/keep.txt", "a\r", "cr.txt",
  "cr.txt\r", "t\tt", "é", "日本", "[a]", "a]", "a-b", "-", "]", "^", "build/keep/me", "build/keep/not", "build/out.js", "src/build/x", "x.log", "deep/a/b/c/d/e.txt", "\uFEFFbom", "bom", "sp /x", "Foo", "*", "?", "star*", "z/ a", "z/a", "a\\\\",
] as const;

const ignoreFiles = [
  "a\\", "a\\\\", "a\\ ", "a\\  ", "a \\ ", "a ", "a\t", "a\\\t", "!/", "/", "//", "//a", "/!a", "\\!a", "!!a", "*\n!/", "*\n!*/\n!b", "**foo", "foo**", "a/**/b", "a/**/b/**", "a/**b", "a**/b", "a/**/", "**/", "**", "/**/", "***", "**/**", "*/*/b",
  "a\r\nb\r\n", "cr.txt\r", "cr.txt \r\n", "\r\n", "a\\\r\n", "\uFEFFbom", "\uFEFF# no rule\nx.log", "\n\uFEFFbom", "\uFEFF!x.log", "[]]", "[!]]", "[]-a]", "[a-]", "[--a]", "[a-b-c]", "[[:alpha:]", "[a", "[!", "[\\]]", "[a\\]", "[a/]b",
  "dir/\n!dir/keep.txt", "dir/*\n!dir/keep.txt", "dir/**\n!dir/**/keep.txt", "build/*\n!build/keep/\nbuild/keep/*\n!build/keep/me", "*\n!*/\n!*.txt", "/*\n!/dir\n/dir/*\n!/dir/sub", "deep/a\n!deep/a/b/c/d/e.txt", "deep/a/b/**\n!deep/a/b/c/d/e.txt",
  "#a", "\\#a", " #a", "sp /", "sp\\ /", "foo\\ ", "\"a b\"", "a//b", "a/./b", "./b", "../a", "\\?", "*\\*", "\\\\", "[*]", "{a,b}", "a\\/b", "t\\tt", "b\0x", "\0", "b\0\nx.log", "b\0/", `${"x".repeat(5000)}\nb`, `${"**/".repeat(4)}b`, "a\\".repeat(2001), `${"/**".repeat(4)}/e.txt`,
] as const;

/** From the walk itself: a list shows such names escaped. */
function ourFiles(): readonly string[] {
  const found: string[] = [];
  const options = { root, ignoreBoundary: root, onPlainDisk: false, excludedPaths: new Set<string>(), skippedDirectories: new Set<string>(), includeHidden: false, glob: undefined, visitsIgnored: false };
  walk(options, { file: (path) => found.push(path), directory: () => undefined, entry: () => undefined, unreadable: () => undefined, ignored: () => undefined, hidden: () => undefined });
  return found.toSorted();
}

let root: string;
beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "fencepost-odd-")));
  execFileSync("git", ["init", "-q", root], { env: { PATH: process.env["PATH"], HOME: "/nonexistent" } });
  for (const path of files) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), "x");
  }
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

it.each([".gitignore", ".git/info/exclude", "a/.gitignore"])(`${ignoreFiles.length} odd files mean what git takes them to mean, as %s`, (place) => {
  for (const rules of ignoreFiles) {
    writeFileSync(join(root, place), rules);
    expect({ rules, files: ourFiles() }).toEqual({ rules, files: gitFiles(root) });
  }
  rmSync(join(root, place));
}, 120_000);

it("a repository inside another, and one whose .git is a file, have rules of their own", () => {
  writeFileSync(join(root, ".gitignore"), "b\n*.log\n");
  for (const [path, text] of Object.entries({ "in/.git/HEAD": "ref: refs/heads/main\n", "in/.git/info/exclude": "mine\n", "in/b": "", "in/mine": "", "worktree/.git": "gitdir: ../in/.git\n", "worktree/b": "", "worktree/mine": "", "broken/.git": "nothing\n", "broken/b": "" })) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const ours = (ourFiles()).filter((path) => /^(?:in|worktree|broken)\//u.test(path));
  expect(ours).toEqual(["in/b", "worktree/b"]);
});
