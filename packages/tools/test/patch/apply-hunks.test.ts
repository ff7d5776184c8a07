import { expect, it } from "vitest";
import { applyHunks } from "../../src/patch/apply-hunks.ts";
import { parsePatch } from "../../src/patch/parse-patch.ts";

function patched(text: string, hunks: string): string {
  const [section] = parsePatch(`--- a/f\n+++ b/f\n${hunks}`);
  return applyHunks(text, section?.hunks ?? [], "f").text;
}

const numbered = (count: number): string => Array.from({ length: count }, (_, index) => `${index}\n`).join("");

/** Replaces each third line. `headerLine`: what its header says, from the index of the line. */
const thirds = (count: number, headerLine: (index: number) => number): string =>
  Array.from({ length: count }, (_, hunk) => `@@ -${headerLine(3 * hunk)} +${headerLine(3 * hunk)} @@\n-${3 * hunk}\n+x${3 * hunk}\n`).join("");

const expected = (lines: number, hunks: number): string => Array.from({ length: lines }, (_, index) => `${index % 3 === 0 && index < 3 * hunks ? "x" : ""}${index}\n`).join("");

it.each([
  ["right", (index: number) => index + 1],
  ["all wrong", () => 1],
] as const)("20,000 hunks over 60,000 lines are placed without looking through the file for each, their line numbers %s", (_, headerLine) => {
  expect(patched(numbered(60_000), thirds(20_000, headerLine))).toBe(expected(60_000, 20_000));
});

it("hunks in any order, also from the end of the file to its start", () => {
  const reversed = thirds(2000, (index) => index + 1).split(/(?=^@@)/m).toReversed().join("");
  expect(patched(numbered(6000), reversed)).toBe(expected(6000, 2000));
});

it("a block of equal lines among very many of them is found to be ambiguous at once", () => {
  const lines = "a\n".repeat(200_000);
  expect(() => patched(lines, `@@ -1,10000 +1,9999 @@\n${" a\n".repeat(9999)}-a\n`)).toThrow(/fits at \d+ places/);
});

it("no two hunks take the same line", () => {
  expect(patched("a\nb\nc\nb\n", "@@ -1,2 +1,2 @@\n-a\n+1\n b\n@@ -4 +4 @@\n-b\n+2\n")).toBe("1\nb\nc\n2\n");
  expect(() => patched("a\nb\n", "@@ -1,2 +1,2 @@\n a\n-b\n+1\n@@ -1,2 +1,2 @@\n a\n-b\n+2\n")).toThrow(/was not found/);
});

it("a byte order mark inside a file is text; the one at its start is not, shown or not", () => {
  const file = "\uFEFFa\n\uFEFFb\nb\n";
  expect(patched(file, "@@ -2,2 +2,2 @@\n-\uFEFFb\n+\uFEFFc\n b\n")).toBe("\uFEFFa\n\uFEFFc\nb\n");
  expect(patched(file, "@@ -1 +1 @@\n-\uFEFFa\n+\uFEFFA\n")).toBe("\uFEFFA\n\uFEFFb\nb\n");
  expect(patched(file, "@@ -1 +1 @@\n-a\n+A\n")).toBe("\uFEFFA\n\uFEFFb\nb\n");
});

it("line numbers beyond all numbers are hints like any other", () => {
  const huge = "9".repeat(400);
  expect(patched("a\nb\n", `@@ -${huge} +${huge} @@\n-b\n+B\n@@ -${huge} +1 @@\n-a\n+A\n`)).toBe("A\nB\n");
  expect(() => patched("a\nb\n", `@@ -${huge} +1 @@\n-zz\n+A\n`)).toThrow(/The file has there:\n1\ta\n2\tb$/);
});
