import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { resultText } from "@fencepost/contract";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { grepTool } from "../../src/builtin/grep.ts";
import { createToolRegistry } from "../../src/toolset/tool-registry.ts";
import { makeSearchPlace, type SearchPlace } from "../search/search-place.ts";

let place: SearchPlace;
beforeEach(async () => {
  place = await makeSearchPlace();
});
afterEach(() => place.close());

const spilled = (text: string): string => readFileSync(/saved to (\S+?)[\]; ]/u.exec(text)?.[1] ?? "none", "utf8");

describe("what grep shows", () => {
  it("groups lines by file, in walk order", async () => {
    place.files({ "b.txt": "one\ntwo\none more\n", "a/z.txt": "one\n", "c.txt": "two\n" });
    expect(await place.grep({ pattern: "one" })).toBe("a/z.txt\n1:one\n\nb.txt\n1:one\n3:one more");
    expect(await place.grep({ pattern: "one", outputMode: "files_with_matches" })).toBe("a/z.txt\nb.txt");
    expect(await place.grep({ pattern: "one", outputMode: "count" })).toBe("a/z.txt:1\nb.txt:2");
  });

  it("shows context lines, without repeating one, and says where lines are left out", async () => {
    place.files({ "a.txt": Array.from({ length: 20 }, (_, index) => `line ${index + 1}`).join("\n") });
    expect(await place.grep({ pattern: "line (4|6|15)$", contextLines: 1 })).toBe("a.txt\n3-line 3\n4:line 4\n5-line 5\n6:line 6\n7-line 7\n--\n14-line 14\n15:line 15\n16-line 16");
  });

  it("[G-18] [T22] shows 50 lines of a file and counts the rest", async () => {
    place.files({ "a.txt": "hit\n".repeat(60) });
    const text = await place.grep({ pattern: "hit" });
    expect(text).toContain("50:hit\n(+10 more matching lines in this file)\n[showing 50 of 60 matching lines in 1 files; full list saved to ");
    expect(spilled(text)).toBe(Array.from({ length: 60 }, (_, index) => `a.txt:${index + 1}:hit\n`).join(""));
  });

  it("[T22] [T26] shows 250 lines in all, counts every one, and keeps the full list", async () => {
    place.files(Object.fromEntries(Array.from({ length: 97 }, (_, index) => [`f${String(index).padStart(3, "0")}.txt`, "some hit\n".repeat(index === 0 ? 9 + 97 : 18)])));
    const text = await place.grep({ pattern: "hit" });
    expect(text).toMatch(/\[showing 250 of 1834 matching lines in 97 files; full list saved to \S+\]$/u);
    expect(text.split("\n").filter((line) => /^\d+:/u.test(line))).toHaveLength(250);
    expect(spilled(text).trimEnd().split("\n")).toHaveLength(1834);
  });

  it("[T22] caps the other modes at 250 files", async () => {
    place.files(Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`f${String(index).padStart(3, "0")}.txt`, "hit\nhit\n"])));
    const names = await place.grep({ pattern: "hit", outputMode: "files_with_matches" });
    expect(names).toMatch(/^f000\.txt\n/u);
    expect(names).toMatch(/\nf249\.txt\n\[showing 250 of 300 files with matches; full list saved to \S+\]$/u);
    expect(spilled(names).trimEnd().split("\n")).toHaveLength(300);
    const counts = await place.grep({ pattern: "hit", outputMode: "count" });
    expect(counts).toMatch(/\nf249\.txt:2\n\[showing 250 of 300 files with 600 matching lines; full list saved to \S+\]$/u);
    expect(spilled(counts)).toContain("f299.txt:2\n");
  });

  it("[T27] gives the same result without a path where nothing can be saved", async () => {
    place.files({ "a.txt": "hit\n".repeat(60) });
    const withSpill = await place.grep({ pattern: "hit" });
    const broken = { ...place.session.spill, path: "/nowhere", open: () => ({ write: () => undefined, finish: () => Promise.resolve(undefined), discard: () => Promise.resolve() }) };
    Object.assign(place.session, { spill: broken });
    expect(await place.grep({ pattern: "hit" })).toBe(withSpill.replace(/; full list saved to \S+\]$/u, "]"));
  });

  it("stops at whole lines within the ceiling of a result", async () => {
    place.files({ "a.txt": `${"x".repeat(1500)}\n`.repeat(40), "b.txt": "x\n" });
    const text = await place.grep({ pattern: "x" });
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(32_000);
    expect(text).toMatch(/\[showing \d+ of 41 matching lines in 2 files; full list saved to \S+\]$/u);
  });

  it("[G-19] cuts a long line, and shows a window where the hit lies beyond", async () => {
    place.files({ "near.txt": `hit${"a".repeat(5000)}\n`, "far.txt": `${"a".repeat(3_000_000)}hit${"b".repeat(2_000_000)}\n` });
    expect(await place.grep({ pattern: "hit", path: "near.txt" })).toMatch(/^near\.txt\n1:hita{1997}\.\.\. \(line truncated to 2000 bytes\)\n\[showing 1 of 1 matching lines in 1 files; full list/u);
    const far = await place.grep({ pattern: "hit", path: "far.txt" });
    expect(far).toMatch(/^far\.txt\n1:\(2999003 bytes\) \.\.\.a+hitb+\.\.\. \(line truncated to 2000 bytes\)\n/u);
  });

  it("cuts lines at a character boundary", async () => {
    place.files({ "a.txt": `x${"é".repeat(3000)}\n` });
    expect(await place.grep({ pattern: "x" })).toMatch(/^a\.txt\n1:xé{999}\.\.\. \(line/u);
  });

  it("[P-09] writes a line break in a name as an escape", async () => {
    place.files({ "a\nb.txt": "hit\n" });
    expect(await place.grep({ pattern: "hit" })).toBe("a\\nb.txt\n1:hit");
  });

  it("[G-36] takes no part of a name for a line number", async () => {
    place.files({ "a:12:b.txt": "x\nhit\n" });
    expect(await place.grep({ pattern: "hit" })).toBe("a:12:b.txt\n2:hit");
  });
});

describe("what grep takes as a pattern", () => {
  it("[G-01] takes a leading dash as text", async () => {
    place.files({ "a.txt": "--flag\nx\n" });
    expect(await place.grep({ pattern: "--flag" })).toBe("a.txt\n1:--flag");
  });

  it("[G-02] [G-03] explains a pattern it cannot read, and what to write", async () => {
    place.files({ "a.txt": "flag(\n" });
    const bad = await place.grepResult({ pattern: "(" });
    expect(bad).toMatchObject({ status: "failed", error: { code: "invalid_arguments" } });
    expect(await place.grep({ pattern: "(" })).toBe("invalid tool input: `pattern` cannot be used: this ( has no closing ); write \\( to match a parenthesis (at character 1 of the pattern)");
    expect(await place.grep({ pattern: "f(?=lag)" })).toMatch(/look-around \(\?=…\) is not supported, because it cannot be matched in linear time; match the surrounding text too/u);
    expect(await place.grep({ pattern: "(a)\\1" })).toMatch(/back-references such as \\1 are not supported/u);
  });

  it("[G-07] matches $ before a carriage return, and does not show that", async () => {
    place.files({ "a.txt": "foo\r\nbar\r\n" });
    expect(await place.grep({ pattern: "foo$" })).toBe("a.txt\n1:foo");
    expect(await place.grep({ pattern: "\\r", outputMode: "count" })).toBe("a.txt:2");
  });

  it("[G-07] takes \\A and \\z for the ends of each line, and a carriage return within one for the end of none that begins", async () => {
    place.files({ "a.txt": "foo\r\nbar\r\n", "b.txt": "bar\rfoo\n" });
    for (const pattern of ["\\Afoo\\z", "^foo$"]) expect(await place.grep({ pattern })).toBe("a.txt\n1:foo");
    expect(await place.grep({ pattern: "x?[ \\r]" })).toMatch(/^No matches/u);
  });

  it("[G-10] reads UTF-16 with a byte order mark, and no mark becomes part of a line", async () => {
    place.files({ "le.txt": Buffer.from("\uFEFFx\nTODO é\n", "utf16le"), "be.txt": Buffer.from("\uFEFFTODO\n", "utf16le").swap16(), "bom.txt": "\uFEFFTODO\n" });
    expect(await place.grep({ pattern: "^TODO" })).toBe("be.txt\n1:TODO\n\nbom.txt\n1:TODO\n\nle.txt\n2:TODO é");
  });

  it("[G-30] refuses a line break unless it may match several lines", async () => {
    place.files({ "a.txt": "foo\nbar\nbaz\n" });
    expect(await place.grep({ pattern: "foo\\nbar" })).toMatch(/the search goes line by line; set `multiline` to true/u);
    expect(await place.grep({ pattern: "foo\\nbar", multiline: true })).toBe("a.txt\n1:foo\n2:bar");
  });

  it("[G-34] refuses an empty pattern", async () => {
    place.files({ "a.txt": "foo\n" });
    const toolset = createToolRegistry([grepTool]).finalize({ tools: ["grep"] }, place.session);
    const result = await toolset.call({ toolId: "grep", input: { pattern: "" } }, place.call());
    expect(result).toMatchObject({ status: "failed", error: { code: "invalid_arguments" } });
    expect(resultText(result)).toMatch(/^invalid tool input: .*`pattern`/u);
  });

  it("[G-05] searches to the end what makes other engines give up on a file", async () => {
    place.files({ "a.txt": `${"a".repeat(100_000)}\n`, "b.txt": "ab\naab!\n" });
    expect(await place.grep({ pattern: "^(a+)+b!?$" })).toBe("b.txt\n1:ab\n2:aab!");
    expect(await place.grep({ pattern: "(a|a?)+c", outputMode: "count" })).toBe("No matches for /(a|a?)+c/ in .");
  });

  it("[G-35] keeps every blank", async () => {
    place.files({ "a.txt": "foo\n foo\n" });
    expect(await place.grep({ pattern: " foo" })).toBe("a.txt\n2: foo");
  });

  it("ignores case when asked to", async () => {
    place.files({ "a.txt": "Straße\nFOO\nfoo\n" });
    expect(await place.grep({ pattern: "foo|STRASSE|STRAßE", ignoreCase: true })).toBe("a.txt\n1:Straße\n2:FOO\n3:foo");
  });
});

describe("where grep looks", () => {
  it("[G-12] searches only the file that is named", async () => {
    place.files({ "a.txt": "x\n", "b.txt": "x\n" });
    expect(await place.grep({ pattern: "x", path: "a.txt" })).toBe("a.txt\n1:x");
  });

  it("[G-13] says that a path does not exist", async () => {
    expect(await place.grep({ pattern: "x", path: "nope" })).toBe("nope does not exist. Use list on ., or glob, to find it.");
    place.files({ "src/a.txt": "x\n" });
    expect(await place.grep({ pattern: "x", path: "src/no/where.txt" })).toBe("src/no/where.txt does not exist. Use list on src, or glob, to find it.");
    symlinkSync("gone", join(place.workspace, "src/link"));
    expect(await place.grep({ pattern: "x", path: "src/link" })).toBe("src/link is a symlink to src/gone, which does not exist. Use list on src, or glob, to find what is meant.");
  });

  it("[G-08] skips hidden entries, finds them when asked or named, and enters .git only where that is named", async () => {
    place.files({ ".github/w.yml": "TODO\n", ".git/x": "TODO\n", ".git/HEAD": "ref: TODO\n" });
    expect(await place.grep({ pattern: "TODO" })).toBe("No matches for /TODO/ in . (1 hidden file skipped: set `includeHidden`)");
    expect(await place.grep({ pattern: "TODO", includeHidden: true })).toBe(".github/w.yml\n1:TODO");
    expect(await place.grep({ pattern: "TODO", glob: ".github/**" })).toBe(".github/w.yml\n1:TODO");
    for (const glob of [".*/**", "**/.*", "*"]) expect(await place.grep({ pattern: "TODO", glob, includeHidden: true }), glob).not.toContain(".git/");
    for (const includeHidden of [false, true]) {
      expect(await place.grep({ pattern: "TODO", glob: ".git/*", includeHidden })).toBe(".git/HEAD\n1:ref: TODO\n\n.git/x\n1:TODO");
      expect(await place.grep({ pattern: "TODO", glob: ".*/**", includeHidden })).toBe(".github/w.yml\n1:TODO");
    }
  });

  it("[G-11] stops at a NUL; of a binary file that is named it says whether it matches", async () => {
    place.files({ "bin.dat": "a\0b\nTODO\n" });
    expect(await place.grep({ pattern: "TODO" })).toBe("No matches for /TODO/ in . (1 binary file skipped)");
    expect(await place.grep({ pattern: "TODO", path: "bin.dat" })).toBe("No matches for /TODO/ in bin.dat (1 line of this binary file matches; use bash to look into it)");
  });

  it("[G-22] applies an ignore file to its own directory", async () => {
    place.files({ "sub/.gitignore": "/a/\n", "sub/a/z": "hit\n", "a/z": "hit\n" });
    expect(await place.grep({ pattern: "hit" })).toBe("a/z\n1:hit");
  });

  it("[G-24] does not revive what is ignored through the glob", async () => {
    place.files({ ".gitignore": "build/\n*.log\n", "build/a.txt": "hit\n", "x.log": "hit\n", ".git/x": "hit\n" });
    for (const glob of ["**", "**/*", "*.log", "build/**"]) expect(await place.grep({ pattern: "hit", glob })).toMatch(/^No matches for \/hit\/ in \. \(\d files? skipped by ignore rules\)$/u);
  });

  it("[G-28] searches an ignored file or directory that is named", async () => {
    place.files({ ".gitignore": "build/\n*.gen\n", "build/a.txt": "hit\n", "build/b.gen": "hit\n" });
    expect(await place.grep({ pattern: "hit", path: "build/a.txt" })).toBe("build/a.txt\n1:hit");
    expect(await place.grep({ pattern: "hit", path: "build" })).toBe("build/a.txt\n1:hit\n\nbuild/b.gen\n1:hit");
  });

  it("[G-29] says that ignore rules hid something", async () => {
    place.files({ ".gitignore": "out/\n", "out/a": "hit\n", "out/b": "x\n", c: "x\n" });
    expect(await place.grep({ pattern: "hit" })).toBe("No matches for /hit/ in . (2 files skipped by ignore rules)");
  });

  it("[G-32] takes the glob relative to the path", async () => {
    place.files({ "src/a/b.ts": "hit\n", "src/c.js": "hit\n" });
    expect(await place.grep({ pattern: "hit", glob: "src/**/*.ts" })).toBe("src/a/b.ts\n1:hit");
    expect(await place.grep({ pattern: "hit", glob: "*.ts" })).toBe("src/a/b.ts\n1:hit");
    expect(await place.grep({ pattern: "hit", glob: "**/*.ts", path: "src" })).toBe("src/a/b.ts\n1:hit");
    expect(await place.grep({ pattern: "hit", glob: "src/**/*.ts", path: "src" })).toBe('No matches for /hit/ in src (no file matches the glob "src/**/*.ts", which is relative to `path`)');
  });

  it("[G-32] says that a glob means nothing where the path is a file", async () => {
    place.files({ "a.txt": "hit\n" });
    expect(await place.grep({ pattern: "hit", path: "a.txt", glob: "*.md" })).toBe("a.txt\n1:hit\n[`glob` was not applied: `path` is a file]");
    expect(await place.grep({ pattern: "miss", path: "a.txt", glob: "*.md" })).toBe("No matches for /miss/ in a.txt (`glob` was not applied: `path` is a file)");
  });

  it("[G-08] [G-32] says that no file matches a glob only where none was searched, hidden ones included", async () => {
    place.files({ ".github/a.yml": "x\n", "src/.b/c.yml": "x\n", ".gitignore": "*.gen\n", ".ci/a.gen": "x\n" });
    for (const glob of [".github/*.yml", "src/.b/*", "**/.b/c.yml"]) expect(await place.grep({ pattern: "miss", glob })).toBe("No matches for /miss/ in .");
    expect(await place.grep({ pattern: "miss", glob: ".github/*.md" })).toBe('No matches for /miss/ in . (no file matches the glob ".github/*.md", which is relative to `path`)');
    expect(await place.grep({ pattern: "miss", glob: ".ci/*" })).toBe("No matches for /miss/ in . (1 file skipped by ignore rules)");
  });

  it("[G-33] [T47] skips a FIFO in a folder and refuses one that is named", async () => {
    execFileSync("mkfifo", [join(place.workspace, "pipe")]);
    place.files({ "a.txt": "hit\n" });
    expect(await place.grep({ pattern: "hit" })).toBe("a.txt\n1:hit");
    expect(await place.grep({ pattern: "hit", path: "pipe" })).toBe("pipe is a fifo, not a file or a directory, and cannot be searched. Name a file or a directory.");
  });

  it("follows no symlink, but searches one that is named", async () => {
    place.files({ "real/a.txt": "hit\n" });
    mkdirSync(join(place.outside, "d"));
    writeFileSync(join(place.outside, "d", "b.txt"), "hit\n");
    symlinkSync(join(place.outside, "d"), join(place.workspace, "link"));
    symlinkSync("real/a.txt", join(place.workspace, "file-link"));
    symlinkSync("..", join(place.workspace, "real", "loop"));
    expect(await place.grep({ pattern: "hit" })).toBe("real/a.txt\n1:hit");
    expect(await place.grep({ pattern: "hit", path: "link" })).toBe("link/b.txt\n1:hit");
  });

  it("[P7] never searches credential paths, whatever the root", async () => {
    for (const path of [".ssh/id", ".aws/credentials", ".config/gh/hosts.yml", ".config/other/x"]) {
      mkdirSync(join(place.home, path, ".."), { recursive: true });
      writeFileSync(join(place.home, path), "hit\n");
    }
    const text = await place.grep({ pattern: "hit", path: place.home, includeHidden: true });
    expect(text).toBe(`${place.home}/.config/other/x\n1:hit`);
    const named = await place.grepResult({ pattern: "hit", path: join(place.home, ".ssh") });
    expect(named).toMatchObject({ status: "denied", sandboxDenied: true });
  });

  it.runIf(process.platform === "linux")("[P7] searches no process's environment, named or under /proc", async () => {
    for (const path of ["/proc/self/environ", "/proc/self", `/proc/${process.pid}`, "/proc"]) {
      const { status, content } = await place.grepResult({ pattern: "PATH=/", path });
      expect(["denied", "failed"]).toContain(status);
      expect(JSON.stringify(content)).not.toContain("matches");
    }
  });

  it("[G-38] says that another case would match", async () => {
    place.files({ "a.txt": "Foo\n" });
    expect(await place.grep({ pattern: "foo" })).toBe("No matches for /foo/ in . (1 match with another case: set `ignoreCase`)");
  });

  it("[W-14] finds no temporary file of ours", async () => {
    place.files({ ".fp-1-2-0123abcd.tmp": "hit\n" });
    expect(await place.grep({ pattern: "hit", includeHidden: true })).toBe("No matches for /hit/ in .");
  });

  it("refuses absolute globs and globs that climb, with the way to write them", async () => {
    expect(await place.grep({ pattern: "x", glob: "/etc/*.conf" })).toBe('invalid tool input: `glob` cannot be used: it is an absolute path; patterns are relative to `path`. Write `path`: "/etc" and `glob`: "*.conf"');
    expect(await place.grep({ pattern: "x", glob: "../*.ts" })).toMatch(/it contains `\.\.`; patterns are relative to `path` and stay below it/u);
  });
});
