import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import { toHunks } from "../../../src/files/diff/hunks.ts";
import { diffLines } from "../../../src/files/diff/line-diff.ts";
import { splitLines } from "../../../src/files/diff/split-lines.ts";

const directory = mkdtempSync(join(tmpdir(), "fencepost-diff-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** What git says of the same two texts: its exact algorithm. */
function gitCounts(before: string, after: string): readonly number[] {
  writeFileSync(join(directory, "a"), before);
  writeFileSync(join(directory, "b"), after);
  const { status, stdout, stderr, error } = spawnSync("git", ["diff", "--no-index", "--minimal", "--numstat", "a", "b"], { cwd: directory, encoding: "utf8" });
  // With --no-index git exits 1 for a difference. Any other failure is the judge's own, and must not read as "no change".
  if (error || (status !== 0 && status !== 1) || stderr !== "") throw new Error(`git could not judge: ${error?.message ?? `exit ${status} ${stderr}`}`);
  return stdout === "" ? [0, 0] : stdout.split("\t").slice(0, 2).map(Number);
}

function numbered(count: number, every: number, mark: string): string {
  return Array.from({ length: count }, (_, index) => (index % every === 0 ? `${mark} ${index}\n` : `line ${index}\n`)).join("");
}

it("counts what git counts, whatever the texts", () => {
  const line = fc.constantFrom("a\n", "b\n", "c\n", "}\n", "\n", "a\r\n");
  const text = fc.tuple(fc.array(line, { maxLength: 30 }), fc.constantFrom("", "a", "tail")).map(([lines, tail]) => lines.join("") + tail);
  fc.assert(
    fc.property(text, text, (before, after) => {
      const diff = diffLines(before, after);
      expect([diff.additions, diff.deletions]).toEqual(gitCounts(before, after));
    }),
    { numRuns: 60 },
  );
});

it("gives hunks from which the other side can be built, however much both sides have in common", () => {
  const text = fc.array(fc.constantFrom("a", "b", "c", "d", "e"), { maxLength: 60 }).map((lines) => lines.join("\n"));
  // What both start and end with is longer than what is compared at once, and may end within a line.
  const common = fc.tuple(fc.constantFrom("", "a", "b\n", "a line\n".repeat(400)), fc.constantFrom("", "x", "\n", "b\nc\n".repeat(500)));
  fc.assert(
    fc.property(text, text, common, (left, right, [head, tail]) => {
      const [before, after] = [head + left + tail, head + right + tail];
      const rebuilt: string[] = [];
      const lines = splitLines(before);
      let position = 0;
      for (const hunk of toHunks(diffLines(before, after))) {
        const start = hunk.oldLines === 0 ? hunk.oldStart : hunk.oldStart - 1;
        for (const line of lines.slice(position, start)) rebuilt.push(line);
        expect(hunk.newLines === 0 ? hunk.newStart : hunk.newStart - 1).toBe(rebuilt.length);
        const whole = (dropped: string): readonly string[] => hunk.lines.filter((line) => line.kind !== dropped).map((line) => line.text + (line.missingNewline ? "" : "\n"));
        expect(whole("added")).toEqual(lines.slice(start, start + hunk.oldLines));
        for (const line of whole("removed")) rebuilt.push(line);
        position = start + hunk.oldLines;
      }
      for (const line of lines.slice(position)) rebuilt.push(line);
      expect(rebuilt.join("")).toBe(after);
    }),
  );
});

it("keeps of a large text only what stands around the change, and counts lines from its start", () => {
  const before = Array.from({ length: 50_000 }, (_, index) => `line ${index}\n`).join("");
  const diff = diffLines(before, before.replace("line 40000\n", "changed\nadded\n"));
  expect([diff.additions, diff.deletions, diff.skipped]).toEqual([2, 1, 39_997]);
  expect(diff.before.length).toBeLessThan(20);
  expect(toHunks(diff)).toMatchObject([{ oldStart: 39_998, oldLines: 7, newStart: 39_998, newLines: 8 }]);
});

it("counts edits among 20,000 distinct lines and in 70,000 distinct lines as git does", () => {
  for (const [count, every] of [[20_000, 10], [70_000, 1000], [9_000, 9]] as const) {
    const [before, after] = [numbered(count, every, "old"), numbered(count, every, "new")];
    const diff = diffLines(before, after);
    expect([diff.additions, diff.deletions]).toEqual(gitCounts(before, after));
  }
});

it("falls back to common start and end beyond 4,000,000 cells, with counts exact for that diff", () => {
  const before = Array.from({ length: 6000 }, (_, index) => `${index}\n`);
  const after = before.toReversed();
  const diff = diffLines(["head\n", ...before, "tail\n"].join(""), ["head\n", ...after, "tail\n"].join(""));
  expect([diff.additions, diff.deletions]).toEqual([6000, 6000]);
});

it("falls back beyond 65,535 symbols that both sides share", () => {
  const lines = Array.from({ length: 66_000 }, (_, index) => `${index}\n`);
  const moved = [...lines.slice(1), lines[0] ?? ""];
  const diff = diffLines(lines.join(""), moved.join(""));
  expect([diff.additions, diff.deletions]).toEqual([66_000, 66_000]);
});

it("marks a missing final line break on the side that lacks it", () => {
  const [hunk] = toHunks(diffLines("a\nb", "a\nb\n"));
  expect(hunk?.lines).toEqual([
    { kind: "context", text: "a" },
    { kind: "removed", text: "b", missingNewline: true },
    { kind: "added", text: "b" },
  ]);
});
