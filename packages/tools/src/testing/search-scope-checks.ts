import { expect } from "vitest";
import { faultOf, type SearchCheck } from "./search-check.ts";
import { grepRequestOf, heedless } from "./search-request.ts";

/** Where a search looks, and how it ends. */
export const searchScopeChecks: readonly SearchCheck[] = [
  ["obeys ignore rules, and a glob revives nothing", async ({ files, grep, glob, fixture }) => {
    await files({ ".gitignore": "out/\n*.log\n!keep.log\n", "sub/.ignore": "/x\n", "out/a": "hit\n", "b.log": "hit\n", "keep.log": "hit\n", "sub/x": "hit\n", "sub/y/x": "hit\n" });
    expect((await grep("hit")).found.map(({ path }) => path)).toEqual(["keep.log", "sub/y/x"]);
    expect((await grep("hit", { glob: "**" })).found.map(({ path }) => path)).toEqual(["keep.log", "sub/y/x"]);
    expect(await glob("out/*")).toMatchObject({ total: 0, hints: { ignoredFiles: { atLeast: 1, exact: true } } });
    expect((await grep("hit", { root: `${fixture.root}/out`, shownPrefix: "out/", ignoreBoundary: fixture.root })).found.map(({ path }) => path)).toEqual(["out/a"]);
    expect((await grep("hit", { root: `${fixture.root}/b.log`, rootKind: "file", shownPrefix: "b.log", glob: "*.md" })).found.map(({ path }) => path)).toEqual(["b.log"]);
  }],
  ["obeys the ignore files above the directory that it searches, up to the boundary or the repository around", async ({ files, grep, glob, fixture }) => {
    await files({ ".gitignore": "*.log\n", ".ignore": "*.old\n", "a/.gitignore": "*.tmp\n" });
    await files({ "a/b/x.log": "hit\n", "a/b/x.old": "hit\n", "a/b/x.tmp": "hit\n", "a/b/x.txt": "hit\n" });
    const names = async (ignoreBoundary: string): Promise<string> => {
      const scope = { root: `${fixture.root}/a/b`, ignoreBoundary: `${fixture.root}${ignoreBoundary}` };
      const { list } = await glob("*", scope);
      expect((await grep("hit", scope)).found.map(({ path }) => `${path}\n`).join("")).toBe(list);
      return list;
    };
    expect(await names("")).toBe("x.txt\n");
    expect(await names("/a")).toBe("x.log\nx.old\nx.txt\n");
    expect(await names("/a/b")).toBe("x.log\nx.old\nx.tmp\nx.txt\n");
    await files({ "a/.git/HEAD": "ref: refs/heads/main\n" });
    expect(await names("")).toBe("x.log\nx.txt\n");
  }],
  ["leaves out hidden entries that no glob names, and .git among those asked for", async ({ files, glob }) => {
    await files({ ".ci/a.yml": "", ".git/HEAD": "ref: refs/heads/main\n", ".env": "", "a.yml": "" });
    expect((await glob("**/*")).list).toBe("a.yml\n");
    expect((await glob(".ci/*")).list).toBe(".ci/a.yml\n");
    expect((await glob("**/*", { includeHidden: true })).list).toBe(".ci/a.yml\n.env\na.yml\n");
  }],
  ["[P7] enters no excluded path, no skipped directory and no symlink", async ({ files, glob, grep, fixture }) => {
    await files({ "secret/key": "hit\n", "vendor/a": "hit\n", "a/vendor/b": "hit\n", c: "hit\n", "file-secret": "hit\n" });
    await fixture.symlink?.(`${fixture.root}/secret`, "link");
    await fixture.symlink?.(`${fixture.root}/secret/key`, "key");
    const without = { excludedPaths: [`${fixture.root}/secret`, `${fixture.root}/file-secret`], skippedDirectories: ["vendor"] };
    expect((await grep("hit", without)).found.map(({ path }) => path)).toEqual(["c"]);
    expect((await glob("**/*", without)).list).toBe("c\n");
    expect((await glob("secret/*", without)).total).toBe(0);
    expect((await glob("*", { ...without, root: `${fixture.root}/vendor`, shownPrefix: "vendor/" })).list).toBe("vendor/a\n");
  }],
  ["[T23] ends at its deadline and at its budget, with what it has", async ({ files, grep, glob }) => {
    await files({ a: "hit\n", b: "hit\n", c: "hit\n", d: "hit\n" });
    expect(await grep("hit", { deadline: Date.now() - 1 })).toMatchObject({ matchingLines: 0, stopped: "timeout" });
    expect(await glob("*", { deadline: Date.now() - 1 })).toMatchObject({ total: 0, stopped: "timeout" });
    expect(await grep("hit", { budget: { maxFiles: 2 } })).toMatchObject({ matchingLines: 2, stopped: "budget" });
    expect(await grep("hit", { budget: { maxFileBytes: 3 } })).toMatchObject({ matchingLines: 0, oversized: 4 });
  }],
  ["[T23] ends when it has read as many bytes as it may, in one file as among many, and reads to the end where that is enough", async ({ files, grep, fixture }) => {
    const content = "this line is a hit\n".repeat(6000);
    const lines = 64 * 6000;
    await files({ ...Object.fromEntries(Array.from({ length: 64 }, (_, index) => [`many/f${index}`, content])), one: content.repeat(64) });
    const many = { root: `${fixture.root}/many`, mode: "count" } as const;
    const one = { root: `${fixture.root}/one`, rootKind: "file", shownPrefix: "one", mode: "count" } as const;
    for (const place of [many, one]) {
      const cut = await grep("hit", { ...place, budget: { maxBytes: 1_000_000 } });
      expect(cut.stopped).toBe("budget");
      // About as much: how much is read at once is the backend's own choice.
      expect(cut.matchingLines).toBeLessThan(lines / 2);
      const whole = await grep("hit", { ...place, budget: { maxBytes: 2 * 64 * content.length } });
      expect({ matchingLines: whole.matchingLines, stopped: whole.stopped }).toEqual({ matchingLines: lines, stopped: undefined });
    }
  }],
  ["[T47] counts what it cannot read, and gives the rest", async ({ files, grep, glob, fixture }) => {
    await files({ "closed/a": "hit\n", locked: "hit\n", open: "hit\n" });
    expect(await grep("hit")).toMatchObject({ matchingLines: 3, unreadable: 0 });
    if (!fixture.close) return;
    await fixture.close("closed");
    await fixture.close("locked");
    expect(await grep("hit")).toMatchObject({ found: [{ path: "open" }], matchingLines: 1, files: 1, unreadable: 2 });
    expect(await grep("miss")).toMatchObject({ matchingLines: 0, unreadable: 2 });
    expect(await glob("**/*")).toMatchObject({ list: "locked\nopen\n", total: 2, unreadable: 1 });
  }],
  ["[T11] rejects with the reason of the signal, and searches on for others", async ({ files, grep }) => {
    await files({ a: "hit\n" });
    const stop = new AbortController();
    const reason = new Error("no more");
    const stopped = Promise.allSettled([grep("hit", { signal: stop.signal }), grep("hit", { signal: AbortSignal.abort(reason) })]);
    stop.abort(reason);
    expect(await stopped).toEqual([{ status: "rejected", reason }, { status: "rejected", reason }]);
    expect((await grep("hit")).matchingLines).toBe(1);
  }],
  ["fails a search whose receiver throws, and no other", async ({ files, fixture, grep }) => {
    await files({ a: "hit\n" });
    const full = new Error("no space left");
    const broken = fixture.backend.grep(grepRequestOf(fixture.root, "hit"), { ...heedless, list: () => thrown(full) });
    await expect(broken).rejects.toBe(full);
    expect((await grep("hit")).matchingLines).toBe(1);
  }],
  ["goes on counting where lines and list are full", async ({ files, fixture }) => {
    await files(Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`f${index}`, "hit\n".repeat(100)])));
    const outcome = await fixture.backend.grep(grepRequestOf(fixture.root, "hit"), { ...heedless, linesFull: () => true, listFull: () => true });
    expect(outcome).toMatchObject({ matchingLines: 5000, files: 50 });
  }],
  ["answers every search when it is closed, and those that come later", async ({ files, fixture, grep }) => {
    await files({ a: "hit\n" });
    const running = faultOf(grep("hit"));
    await fixture.backend.close();
    expect(["no fault", { kind: "closed" }]).toContainEqual(await running);
    expect(await faultOf(grep("hit"))).toEqual({ kind: "closed" });
    await fixture.backend.close();
  }],
];

function thrown(error: Error): never {
  throw error;
}
