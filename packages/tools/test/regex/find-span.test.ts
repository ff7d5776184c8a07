import { expect, it } from "vitest";
import { compileProgram } from "../../src/regex/automata/program.ts";
import { SpanSearch } from "../../src/regex/automata/span-search.ts";
import { compileRegex } from "../../src/regex/compile.ts";
import { longestMatchBytes } from "../../src/regex/longest-match.ts";
import { PatternError } from "../../src/regex/pattern-error.ts";
import type { Regex } from "../../src/regex/regex.ts";
import { randomPattern, randomText } from "./random-regex.ts";
import { randomSource, testSeed } from "../random-source.ts";

const patterns = process.env["FENCEPOST_DEEP"] ? 6000 : 600;
const textsAPattern = 10;

it(`leaves out no match where it does not begin to search at the beginning, with ${patterns} random patterns`, () => {
  const seed = testSeed();
  const random = randomSource(seed);
  for (let checked = 0; checked < patterns; ) {
    const pattern = randomPattern(random);
    let regex: Regex;
    try {
      regex = compileRegex(pattern);
    } catch (error) {
      expect(error).toBeInstanceOf(PatternError);
      continue;
    }
    checked += 1;
    const whole = new SpanSearch(compileProgram(regex.hir));
    for (let count = 0; count < textsAPattern; count += 1) {
      const text = Array.from({ length: 4 }, () => randomText(random) + random.of(["", "----", "aaaa", "b\n"])).join("");
      const bytes = Buffer.from(text);
      const at = random.below(bytes.length + 1);
      expect({ seed, pattern, text, at, found: regex.findSpan(bytes, 0, bytes.length, undefined, at) }).toEqual({ seed, pattern, text, at, found: whole.find(bytes, 0, bytes.length, at) });
    }
  }
}, 600_000);

it.each([
  { pattern: "abc", bytes: 3 },
  { pattern: "a|bcd|", bytes: 3 },
  { pattern: "[a-é]{2,5}x?", bytes: 11 },
  { pattern: "日😀(?-u:\\xff)\\b$", bytes: 8 },
  { pattern: "(?:a*){0}b", bytes: 1 },
  { pattern: "(?:|\\b)*b", bytes: 1 },
  { pattern: "ab*", bytes: Infinity },
])("a match of $pattern has $bytes bytes at most", ({ pattern, bytes }) => {
  expect(longestMatchBytes(compileRegex(pattern).hir)).toBe(bytes);
});

it("[T22] in a long line only the end of it, where the match is, is searched for its beginning", () => {
  const text = Buffer.from(`${"abcdefgh".repeat(60_000)}Z ${"word; ".repeat(60_000)}${"word, ".repeat(60)}9`);
  for (const [pattern, found] of [["[a-z]{1000}Z", { start: 479_000, end: 480_001 }], ["(?:\\w+, ){50}9", { start: text.length - 301, end: text.length }]] as const) {
    let questions = 0;
    const meter = (): void => void (questions += 1);
    expect(compileRegex(pattern).findSpan(text, 0, text.length, meter, 1)).toEqual(found);
    expect(questions).toBeLessThan(60);
  }
});
