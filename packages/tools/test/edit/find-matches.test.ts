import * as fc from "fast-check";
import { expect, it } from "vitest";
import { findMatches } from "../../src/edit/find-matches.ts";

/** What is meant, tried at every place. */
function everyPlace(haystack: string, needle: string): readonly number[] {
  return Array.from(haystack, (_, index) => index).filter((index) => needle !== "" && haystack.startsWith(needle, index));
}

function letters(maxLength: number): fc.Arbitrary<string> {
  return fc.array(fc.constantFrom("a", "b", "\n"), { maxLength }).map((parts) => parts.join(""));
}

it("finds every place, overlapping ones too, whatever repeats", () => {
  // Also needles longer than the part that is looked for natively, which then stands in the haystack or nearly does.
  const pair = fc.tuple(letters(80), letters(60), fc.nat(200), fc.nat(70));
  fc.assert(
    fc.property(pair, fc.constantFrom("ab", "a", "aab", "ba\n"), ([left, right, from, length], unit) => {
      const haystack = left + unit.repeat(60) + right + unit.repeat(20);
      for (const needle of [haystack.slice(from, from + length), `${unit.repeat(30)}b`, right.slice(0, 3)]) {
        expect(findMatches(Buffer.from(haystack), Buffer.from(needle))).toEqual(everyPlace(haystack, needle));
      }
    }),
    { numRuns: 200 },
  );
});

it("stops at as many as are wanted", () => {
  expect(findMatches(Buffer.from("abababab"), Buffer.from("ab"), 2)).toEqual([0, 2]);
});

it("stays linear where the beginning of the needle stands everywhere and the rest nowhere", () => {
  const start = "x".repeat(31) + "y";
  const haystack = Buffer.from(start.repeat(32_768));
  expect(findMatches(haystack, Buffer.from(`${start}z${"q".repeat(400_000)}`))).toEqual([]);
  expect(findMatches(haystack, Buffer.from(start)).length).toBe(32_768);
  expect(findMatches(Buffer.from("x".repeat(1024 * 1024)), Buffer.from(`${"x".repeat(500_000)}y`))).toEqual([]);
});
