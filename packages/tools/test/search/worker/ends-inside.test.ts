import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { GlobWork } from "../../../src/search/worker/messages.ts";
import { grepWork, runHere } from "./run-here.ts";

// A search that is cancelled, or whose time is over, notices it wherever it is, and hands over what it has.

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "fencepost-inside-")));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function files(contents: Readonly<Record<string, string>>): void {
  for (const [path, content] of Object.entries(contents)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
}

const many = (start: string, count: number, content = ""): Record<string, string> => Object.fromEntries(Array.from({ length: count }, (_, index) => [`${start}${index}`, content]));
const globWork = (pattern: string): GlobWork => ({ kind: "glob", pattern, maxNewest: 100 });

describe("among the entries of one directory, of which none is wanted,", () => {
  // The clock is looked at once before the directory: whoever looks again does so among its entries.
  const works = [["glob", globWork("*.none")], ["grep", { ...grepWork, glob: "*.none" }]] as const;
  beforeEach(() => files(many("f", 2000)));

  it.each(works)("[T11] %s notices that it was cancelled", (_, work) => {
    expect(runHere(root, work, { atClock: (looked, { cancel }) => looked === 2 && cancel() }).report).toMatchObject({ stopped: "cancelled" });
    expect(runHere(root, work).report.stopped).toBeUndefined();
  });

  it.each(works)("[T23] %s notices that its time is over", (_, work) => {
    expect(runHere(root, work, { job: { deadline: 2 } }).report).toMatchObject({ stopped: "timeout", found: 0 });
  });
});

describe("when its time is over, what was found by then is returned", () => {
  const names = Object.keys(many("a/w", 10)).toSorted();

  it("[T23] by glob, though there were few files, and their directory lies far back", () => {
    files({ ...many("a/w", 10), ...many("b/f", 2000) });
    const { report, list } = runHere(root, globWork("**/w*"), { job: { deadline: 1000 } });
    expect(report).toMatchObject({ stopped: "timeout", found: 10 });
    expect(report.newest.map(({ path }) => path).toSorted()).toEqual(names);
    expect(list.trimEnd().split("\n")).toEqual(names);
  });

  it("[T23] by grep, though there were few files, and their directory lies far back", () => {
    files({ ...many("a/w", 10, "hit\n"), ...many("b/f", 2000) });
    const { report, files: found } = runHere(root, { ...grepWork, glob: "w*" }, { job: { deadline: 1000 } });
    expect(report).toMatchObject({ stopped: "timeout", found: 10 });
    expect(found.map(({ path }) => path)).toEqual(names);
  });

  it("[T23] of as many files as were reached", () => {
    files(many("f", 500, "hit\n"));
    const { report, files: found, list } = runHere(root, grepWork, { job: { deadline: 500 } });
    expect(report.stopped).toBe("timeout");
    expect(found.length).toBeGreaterThan(0);
    expect(found.length).toBeLessThan(500);
    expect(report.found).toBe(found.length);
    expect(list.trimEnd().split("\n")).toEqual(found.map(({ path }) => `${path}:1:hit`));
  });

  it("[T23] [T11] of one file as far as it was read", () => {
    files({ "a.txt": "hit\n".repeat(300_000) });
    const { report, files: found } = runHere(root, { ...grepWork, pattern: "h[i]t" }, { job: { deadline: 8 } });
    expect(report.stopped).toBe("timeout");
    expect(report.found).toBeGreaterThan(0);
    expect(report.found).toBeLessThan(300_000);
    expect(found).toMatchObject([{ path: "a.txt", matchingLines: report.found }]);
  });
});
