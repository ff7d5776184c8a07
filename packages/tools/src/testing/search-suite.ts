import { describe, expect, it } from "vitest";
import { SearchFault, type FileMatches, type GlobOutcome, type GlobRequest, type GrepOutcome, type GrepRequest, type SearchBackend } from "../search/search-backend.ts";
import { grepRequestOf, heedless, searchScopeOf } from "./search-request.ts";

/** A search backend under test, and a directory that it searches. Made once a test. */
export interface SearchFixture {
  readonly backend: SearchBackend;
  /** The real path of an empty directory, in no repository. */
  readonly root: string;
  /**
   * Makes a file below `root` with the directories above it.
   *
   * @param modified in seconds since the epoch
   */
  write(path: string, content: string | Uint8Array, modified: number): Promise<void>;
  /** Makes a symlink below `root`. Absent where the system has none. */
  readonly symlink?: (target: string, path: string) => Promise<void>;
  remove(): Promise<void>;
}

interface Grepped extends GrepOutcome {
  readonly found: readonly FileMatches[];
  readonly list: string;
}

interface Globbed extends GlobOutcome {
  readonly list: string;
}

interface Searches {
  readonly fixture: SearchFixture;
  readonly files: (contents: Readonly<Record<string, string | Uint8Array>>) => Promise<void>;
  readonly grep: (pattern: string, extra?: Partial<GrepRequest>) => Promise<Grepped>;
  readonly glob: (pattern: string, extra?: Partial<GlobRequest>) => Promise<Globbed>;
}

/** The contract of a search backend, for vitest. */
export function testSearchBackend(name: string, make: () => Promise<SearchFixture>): void {
  const on = async (work: (searches: Searches) => Promise<void>): Promise<void> => {
    const fixture = await make();
    try {
      await work(searchesOf(fixture));
    } finally {
      await fixture.backend.close();
      await fixture.remove();
    }
  };

  describe(`the search backend ${name}`, () => {
    it("gives lines file by file in walk order, and the same as a list", () =>
      on(async ({ files, grep }) => {
        await files({ "b.txt": "hit\nmiss\nhit two", "a/z": "hit\r\n", B: "hit\n", "b/c/d": "hit\n", "é": "hit\n" });
        const { found, list, matchingLines, files: count, filesSearched, stopped, hints } = await grep("hit");
        expect(found.map(({ path }) => path)).toEqual(["B", "a/z", "b/c/d", "b.txt", "é"]);
        expect(found[3]?.lines).toEqual([line(1, "hit"), line(3, "hit two")]);
        expect(list).toBe("B:1:hit\na/z:1:hit\nb/c/d:1:hit\nb.txt:1:hit\nb.txt:3:hit two\né:1:hit\n");
        expect({ matchingLines, count, filesSearched, stopped, hints }).toEqual({ matchingLines: 6, count: 5, filesSearched: 5, stopped: undefined, hints: undefined });
      }));

    it("hands over no more lines of a file than asked for, and counts all of them", () =>
      on(async ({ files, grep }) => {
        await files({ a: "hit\n".repeat(100), b: "hit\n" });
        const { found, matchingLines, list } = await grep("hit", { maxLinesAFile: 3 });
        expect(found.map(({ lines, matchingLines: ofFile }) => [lines.length, ofFile])).toEqual([[3, 100], [1, 1]]);
        expect({ matchingLines, listed: list.split("\n").length - 1 }).toEqual({ matchingLines: 101, listed: 101 });
      }));

    it("cuts a long line, and says so", () =>
      on(async ({ files, grep }) => {
        await files({ a: `hit${"x".repeat(5000)}\n` });
        const [shown] = (await grep("hit", { maxLineBytes: 100 })).found[0]?.lines ?? [];
        expect(shown).toMatchObject({ number: 1, cut: true, context: false });
        expect(shown?.text.startsWith(`hit${"x".repeat(97)}`)).toBe(true);
        expect(shown?.text.length).toBeLessThan(200);
      }));

    it("gives the lines around a match once each, as context", () =>
      on(async ({ files, grep }) => {
        await files({ a: "1\n2 hit\n3\n4 hit\n5\n6\n" });
        expect((await grep("hit", { contextLines: 1 })).found[0]?.lines).toEqual([line(1, "1", true), line(2, "2 hit"), line(3, "3", true), line(4, "4 hit"), line(5, "5", true)]);
      }));

    it("gives names alone, and counts alone", () =>
      on(async ({ files, grep }) => {
        await files({ a: "hit\nhit\n", b: "hit\n", c: "miss\n" });
        const names = await grep("hit", { mode: "files_with_matches" });
        expect(names).toMatchObject({ found: [{ path: "a", matchingLines: 1, lines: [] }, { path: "b", matchingLines: 1, lines: [] }], files: 2, list: "" });
        const counts = await grep("hit", { mode: "count" });
        expect(counts).toMatchObject({ found: [{ path: "a", matchingLines: 2, lines: [] }, { path: "b", matchingLines: 1, lines: [] }], matchingLines: 3, list: "" });
      }));

    it("matches in any case and over lines where it is asked to", () =>
      on(async ({ files, grep }) => {
        await files({ a: "Foo\nbar\n" });
        expect(await grep("foo")).toMatchObject({ matchingLines: 0, hints: { otherCaseLines: { atLeast: 1, exact: true } } });
        expect((await grep("foo", { ignoreCase: true })).matchingLines).toBe(1);
        expect((await grep("Foo\\nbar", { multiline: true })).matchingLines).toBe(2);
      }));

    it("answers a pattern that makes others hang", () =>
      on(async ({ files, grep, glob }) => {
        await files({ a: `${"a".repeat(100_000)}\n`, ["a".repeat(200)]: "" });
        expect((await grep("^(a+)+b$")).matchingLines).toBe(0);
        expect((await glob("*a*a*a*a*a*a*a*a*b")).total).toBe(0);
      }));

    it("stops a file at a NUL, and counts it as binary, or as cut short where it matches before", () =>
      on(async ({ files, grep, fixture }) => {
        await files({ a: "hit\n\0hit\n", b: "\0\nhit\n" });
        expect(await grep("hit")).toMatchObject({ matchingLines: 1, binary: 1, cutShort: 1 });
        expect(await grep("hit", { root: `${fixture.root}/b`, rootKind: "file", shownPrefix: "b" })).toMatchObject({ matchingLines: 0, hints: { binaryMatches: 1 } });
      }));

    it("obeys ignore rules, and a glob revives nothing", () =>
      on(async ({ files, grep, glob, fixture }) => {
        await files({ ".gitignore": "out/\n*.log\n!keep.log\n", "sub/.ignore": "/x\n", "out/a": "hit\n", "b.log": "hit\n", "keep.log": "hit\n", "sub/x": "hit\n", "sub/y/x": "hit\n" });
        expect((await grep("hit")).found.map(({ path }) => path)).toEqual(["keep.log", "sub/y/x"]);
        expect((await grep("hit", { glob: "**" })).found.map(({ path }) => path)).toEqual(["keep.log", "sub/y/x"]);
        expect(await glob("out/*")).toMatchObject({ total: 0, hints: { ignoredFiles: { atLeast: 1, exact: true } } });
        expect((await grep("hit", { root: `${fixture.root}/out`, shownPrefix: "out/", ignoreBoundary: fixture.root })).found.map(({ path }) => path)).toEqual(["out/a"]);
        expect((await grep("hit", { root: `${fixture.root}/b.log`, rootKind: "file", shownPrefix: "b.log", glob: "*.md" })).found.map(({ path }) => path)).toEqual(["b.log"]);
      }));

    it("leaves out hidden entries that no glob names, and .git among those asked for", () =>
      on(async ({ files, glob }) => {
        await files({ ".ci/a.yml": "", ".git/HEAD": "ref: refs/heads/main\n", ".env": "", "a.yml": "" });
        expect((await glob("**/*")).list).toBe("a.yml\n");
        expect((await glob(".ci/*")).list).toBe(".ci/a.yml\n");
        expect((await glob("**/*", { includeHidden: true })).list).toBe(".ci/a.yml\n.env\na.yml\n");
      }));

    it("[P7] enters no excluded path, no skipped directory and no symlink", () =>
      on(async ({ files, glob, grep, fixture }) => {
        await files({ "secret/key": "hit\n", "vendor/a": "hit\n", "a/vendor/b": "hit\n", c: "hit\n", "file-secret": "hit\n" });
        await fixture.symlink?.(`${fixture.root}/secret`, "link");
        await fixture.symlink?.(`${fixture.root}/secret/key`, "key");
        const without = { excludedPaths: [`${fixture.root}/secret`, `${fixture.root}/file-secret`], skippedDirectories: ["vendor"] };
        expect((await grep("hit", without)).found.map(({ path }) => path)).toEqual(["c"]);
        expect((await glob("**/*", without)).list).toBe("c\n");
        expect((await glob("secret/*", without)).total).toBe(0);
        expect((await glob("*", { ...without, root: `${fixture.root}/vendor`, shownPrefix: "vendor/" })).list).toBe("vendor/a\n");
      }));

    it("[T24] gives the newest files first, those of one time by path, and counts and lists all", () =>
      on(async ({ fixture, glob }) => {
        for (const [path, modified] of [["a", 1], ["b/x", 3], ["c", 2], ["b/a", 3]] as const) await fixture.write(path, "", modified);
        expect(await glob("**/*", { maxNewest: 3, shownPrefix: "w/" })).toMatchObject({ newest: ["w/b/a", "w/b/x", "w/c"], total: 4, list: "w/a\nw/b/a\nw/b/x\nw/c\n" });
      }));

    it("says why nothing was found", () =>
      on(async ({ files, glob, grep }) => {
        await files({ "src/a.ts": "x\n" });
        expect((await glob("*.ts")).hints).toMatchObject({ deeperFiles: { atLeast: 1, exact: true }, namesDirectory: false });
        expect((await glob("SRC/*.ts")).hints).toMatchObject({ otherCaseFiles: { atLeast: 1, exact: true } });
        expect((await glob("src")).hints).toMatchObject({ namesDirectory: true });
        expect((await grep("hit", { glob: "*.md" })).hints).toMatchObject({ noFileFitsGlob: true });
        expect((await grep("hit", { glob: "*.ts" })).hints).toMatchObject({ noFileFitsGlob: false });
      }));

    it("refuses what it cannot read, and names the input at fault", () =>
      on(async ({ files, grep, glob }) => {
        await files({ a: "hit\n" });
        for (const pattern of ["(", "f(?=lag)", "(a)\\1"]) expect(await faultOf(grep(pattern))).toEqual({ kind: "invalid", field: "pattern" });
        for (const pattern of ["/etc/*", "../*", "{a"]) {
          expect(await faultOf(glob(pattern))).toEqual({ kind: "invalid", field: "pattern" });
          expect(await faultOf(grep("hit", { glob: pattern }))).toEqual({ kind: "invalid", field: "glob" });
        }
      }));

    it("[T23] ends at its deadline and at its budget, with what it has", () =>
      on(async ({ files, grep, glob }) => {
        await files({ a: "hit\n", b: "hit\n", c: "hit\n", d: "hit\n" });
        expect(await grep("hit", { deadline: Date.now() - 1 })).toMatchObject({ matchingLines: 0, stopped: "timeout" });
        expect(await glob("*", { deadline: Date.now() - 1 })).toMatchObject({ total: 0, stopped: "timeout" });
        expect(await grep("hit", { budget: { maxFiles: 2 } })).toMatchObject({ matchingLines: 2, stopped: "budget" });
        expect(await grep("hit", { budget: { maxFileBytes: 3 } })).toMatchObject({ matchingLines: 0, oversized: 4 });
      }));

    it("[T11] rejects with the reason of the signal, and searches on for others", () =>
      on(async ({ files, grep }) => {
        await files({ a: "hit\n" });
        const stop = new AbortController();
        const reason = new Error("no more");
        const stopped = Promise.allSettled([grep("hit", { signal: stop.signal }), grep("hit", { signal: AbortSignal.abort(reason) })]);
        stop.abort(reason);
        expect(await stopped).toEqual([{ status: "rejected", reason }, { status: "rejected", reason }]);
        expect((await grep("hit")).matchingLines).toBe(1);
      }));

    it("fails a search whose receiver throws, and no other", () =>
      on(async ({ files, fixture, grep }) => {
        await files({ a: "hit\n" });
        const full = new Error("no space left");
        const broken = fixture.backend.grep(grepRequestOf(fixture.root, "hit"), { ...heedless, list: () => thrown(full) });
        await expect(broken).rejects.toBe(full);
        expect((await grep("hit")).matchingLines).toBe(1);
      }));

    it("goes on counting where lines and list are full", () =>
      on(async ({ files, fixture }) => {
        await files(Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`f${index}`, "hit\n".repeat(100)])));
        const outcome = await fixture.backend.grep(grepRequestOf(fixture.root, "hit"), { ...heedless, linesFull: () => true, listFull: () => true });
        expect(outcome).toMatchObject({ matchingLines: 5000, files: 50 });
      }));

    it("answers every search when it is closed, and those that come later", () =>
      on(async ({ files, fixture, grep }) => {
        await files({ a: "hit\n" });
        const running = faultOf(grep("hit"));
        await fixture.backend.close();
        expect(["no fault", { kind: "closed" }]).toContainEqual(await running);
        expect(await faultOf(grep("hit"))).toEqual({ kind: "closed" });
        await fixture.backend.close();
      }));
  });
}

function line(number: number, text: string, context = false): FileMatches["lines"][number] {
  return { number, text, context, cut: false };
}

function thrown(error: Error): never {
  throw error;
}

function faultOf(search: Promise<unknown>): Promise<unknown> {
  return search.then(() => "no fault", (error: unknown) => (error instanceof SearchFault ? error.reason : error));
}

function searchesOf(fixture: SearchFixture): Searches {
  const { backend, root } = fixture;
  return {
    fixture,
    async files(contents) {
      for (const [path, content] of Object.entries(contents)) await fixture.write(path, content, 1_700_000_000);
    },
    async grep(pattern, extra) {
      const found: FileMatches[] = [];
      const pieces: Buffer[] = [];
      const outcome = await backend.grep({ ...grepRequestOf(root, pattern), ...extra }, { ...heedless, file: (matches) => found.push(matches), list: (bytes) => pieces.push(Buffer.from(bytes)) });
      return { ...outcome, found, list: Buffer.concat(pieces).toString() };
    },
    async glob(pattern, extra) {
      const pieces: Buffer[] = [];
      const outcome = await backend.glob({ ...searchScopeOf(root), pattern, maxNewest: 100, ...extra }, { ...heedless, list: (bytes) => pieces.push(Buffer.from(bytes)) });
      return { ...outcome, list: Buffer.concat(pieces).toString() };
    },
  };
}
