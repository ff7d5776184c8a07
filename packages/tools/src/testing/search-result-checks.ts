import { expect } from "vitest";
import type { FileMatches } from "../search/search-backend.ts";
import { faultOf, type SearchCheck } from "./search-check.ts";

/** What a search gives. */
export const searchResultChecks: readonly SearchCheck[] = [
  ["gives lines file by file in walk order, and the same as a list", async ({ files, grep }) => {
    await files({ "b.txt": "hit\nmiss\nhit two", "a/z": "hit\r\n", B: "hit\n", "b/c/d": "hit\n", "é": "hit\n" });
    const { found, list, matchingLines, files: count, filesSearched, stopped, hints } = await grep("hit");
    expect(found.map(({ path }) => path)).toEqual(["B", "a/z", "b/c/d", "b.txt", "é"]);
    expect(found[3]?.lines).toEqual([line(1, "hit"), line(3, "hit two")]);
    expect(list).toBe("B:1:hit\na/z:1:hit\nb/c/d:1:hit\nb.txt:1:hit\nb.txt:3:hit two\né:1:hit\n");
    expect({ matchingLines, count, filesSearched, stopped, hints }).toEqual({ matchingLines: 6, count: 5, filesSearched: 5, stopped: undefined, hints: undefined });
  }],
  ["hands over no more lines of a file than asked for, and counts all of them", async ({ files, grep }) => {
    await files({ a: "hit\n".repeat(100), b: "hit\n" });
    const { found, matchingLines, list } = await grep("hit", { maxLinesAFile: 3 });
    expect(found.map(({ lines, matchingLines: ofFile }) => [lines.length, ofFile])).toEqual([[3, 100], [1, 1]]);
    expect({ matchingLines, listed: list.split("\n").length - 1 }).toEqual({ matchingLines: 101, listed: 101 });
  }],
  ["cuts a long line, and says so", async ({ files, grep }) => {
    await files({ a: `hit${"x".repeat(5000)}\n` });
    const [shown] = (await grep("hit", { maxLineBytes: 100 })).found[0]?.lines ?? [];
    expect(shown).toMatchObject({ number: 1, cut: true, context: false });
    expect(shown?.text.startsWith(`hit${"x".repeat(97)}`)).toBe(true);
    expect(shown?.text.length).toBeLessThan(200);
  }],
  ["gives the lines around a match once each, as context", async ({ files, grep }) => {
    await files({ a: "1\n2 hit\n3\n4 hit\n5\n6\n" });
    expect((await grep("hit", { contextLines: 1 })).found[0]?.lines).toEqual([line(1, "1", true), line(2, "2 hit"), line(3, "3", true), line(4, "4 hit"), line(5, "5", true)]);
  }],
  ["gives names alone, and counts alone", async ({ files, grep }) => {
    await files({ a: "hit\nhit\n", b: "hit\n", c: "miss\n" });
    const names = await grep("hit", { mode: "files_with_matches" });
    expect(names).toMatchObject({ found: [{ path: "a", matchingLines: 1, lines: [] }, { path: "b", matchingLines: 1, lines: [] }], files: 2, list: "" });
    const counts = await grep("hit", { mode: "count" });
    expect(counts).toMatchObject({ found: [{ path: "a", matchingLines: 2, lines: [] }, { path: "b", matchingLines: 1, lines: [] }], matchingLines: 3, list: "" });
  }],
  ["matches in any case and over lines where it is asked to", async ({ files, grep }) => {
    await files({ a: "Foo\nbar\n" });
    expect(await grep("foo")).toMatchObject({ matchingLines: 0, hints: { otherCaseLines: { atLeast: 1, exact: true } } });
    expect((await grep("foo", { ignoreCase: true })).matchingLines).toBe(1);
    expect((await grep("Foo\\nbar", { multiline: true })).matchingLines).toBe(2);
    await files({ a: "Foo\r\nbar\r\n" });
    expect(await grep("Foo\\nbar", { multiline: true })).toMatchObject({ matchingLines: 0, hints: { anyLineEndLines: { atLeast: 2, exact: true } } });
  }],
  ["answers a pattern that makes others hang", async ({ files, grep, glob }) => {
    await files({ a: `${"a".repeat(100_000)}\n`, ["a".repeat(200)]: "" });
    expect((await grep("^(a+)+b$")).matchingLines).toBe(0);
    expect((await glob("*a*a*a*a*a*a*a*a*b")).total).toBe(0);
  }],
  ["stops a file at a NUL, and counts it as binary, or as cut short where it matches before", async ({ files, grep, fixture }) => {
    await files({ a: "hit\n\0hit\n", b: "\0\nhit\n" });
    expect(await grep("hit")).toMatchObject({ matchingLines: 1, binary: 1, cutShort: 1 });
    expect(await grep("hit", { root: `${fixture.root}/b`, rootKind: "file", shownPrefix: "b" })).toMatchObject({ matchingLines: 0, hints: { binaryMatches: { atLeast: 1, exact: true } } });
  }],
  ["[T24] gives the newest files first, those of one time by path, and counts and lists all", async ({ fixture, glob }) => {
    for (const [path, modified] of [["a", 1], ["b/x", 3], ["c", 2], ["b/a", 3]] as const) await fixture.write(path, "", modified);
    expect(await glob("**/*", { maxNewest: 3, shownPrefix: "w/" })).toMatchObject({ newest: ["w/b/a", "w/b/x", "w/c"], total: 4, list: "w/a\nw/b/a\nw/b/x\nw/c\n" });
  }],
  ["says why nothing was found", async ({ files, glob, grep }) => {
    await files({ "src/a.ts": "x(1)\n", ".ci/b.yml": "", ".git/c.yml": "" });
    expect((await glob("*.ts")).hints).toMatchObject({ deeperFiles: { atLeast: 1, exact: true }, namesDirectory: false });
    expect((await glob("SRC/*.ts")).hints).toMatchObject({ otherCaseFiles: { atLeast: 1, exact: true } });
    expect((await glob("src")).hints).toMatchObject({ namesDirectory: true });
    expect((await grep("hit", { glob: "*.md" })).hints).toMatchObject({ noFileFitsGlob: true });
    expect((await grep("x(1)")).hints).toMatchObject({ plainTextLines: { atLeast: 1, exact: true }, hiddenFiles: { atLeast: 1, exact: true } });
    expect((await grep("hit", { glob: "*.yml" })).hints).toMatchObject({ noFileFitsGlob: false, hiddenFiles: { atLeast: 1, exact: true } });
    expect((await glob("*.yml")).hints).toMatchObject({ hiddenFiles: { atLeast: 0, exact: true } });
    expect((await glob("**/*.yml")).hints).toMatchObject({ hiddenFiles: { atLeast: 1, exact: true } });
    expect((await grep("hit", { glob: "*.ts" })).hints).toMatchObject({ noFileFitsGlob: false });
  }],
  ["refuses what it cannot read, and names the input at fault", async ({ files, grep, glob }) => {
    await files({ a: "hit\n" });
    for (const pattern of ["(", "f(?=lag)", "(a)\\1"]) expect(await faultOf(grep(pattern))).toEqual({ kind: "invalid", field: "pattern" });
    for (const pattern of ["/etc/*", "../*", "{a"]) {
      expect(await faultOf(glob(pattern))).toEqual({ kind: "invalid", field: "pattern" });
      expect(await faultOf(grep("hit", { glob: pattern }))).toEqual({ kind: "invalid", field: "glob" });
    }
  }],
];

function line(number: number, text: string, context = false): FileMatches["lines"][number] {
  return { number, text, context, cut: false };
}
