import { expect, it } from "vitest";
import { unmetered } from "../../../src/regex/automata/meter.ts";
import { compileRegex } from "../../../src/regex/compile.ts";
import type { Regex } from "../../../src/regex/regex.ts";
import { requiredWindows } from "../../../src/regex/required-windows.ts";
import { PatternError } from "../../../src/regex/pattern-error.ts";
import { LineFinder } from "../../../src/search/worker/line-finder.ts";
import { scanGaveUp, WindowScanner } from "../../../src/search/worker/window-scanner.ts";
import { randomPattern } from "../../regex/random-regex.ts";
import { randomSource, type RandomSource, testSeed } from "../../random-source.ts";

// What is looked for before the pattern itself must never cost a line: each line asked for alone says which match.

const patterns = process.env["FENCEPOST_DEEP"] ? 6000 : 600;
const options = { multiLine: true, crlf: true, withinLine: true };

const pieces = ["foo", "Foo", "bar", "needle", "é", "É", "ſ", "K", "(?i:task)", "(?i:kiss)", "(?i:éa)", "[a-c]", "[^a]", "[0-9]{3}", "\\d", "\\w", "x{4}", "x{2,}", "[ab]+", "(?:foo|bar|needle)", "(?:ab|c)d", "(?:fo|b)*", "\\b", "$", "^", ".", "(?-u:\\xff)", "(?-u:[\\x80-\\xff])ab", "_"] as const;
const words = ["foo", "Foo", "bar", "barfoo", "needle", "é", "É", "TaſK", "task", "kiſſ", "KISS", "éa", "Éa", "abc", "123", "xxxx", "xx", "abcd", "ab", "cd", "_", " ", "-", "\xff", "\xffab"] as const;

function madeOfPieces(random: RandomSource): string {
  const one = (): string => Array.from({ length: 1 + random.below(5) }, () => random.of(pieces)).join("");
  return random.below(3) === 0 ? `${one()}|${one()}` : one();
}

function longText(random: RandomSource): Buffer {
  const quiet = random.of(["-", "quiet text", "fo ba", "日本 "]);
  const ending = random.of(["\n", "\r\n"]);
  const often = random.of([2, 60]);
  const lines = Array.from({ length: 1200 }, () => (random.below(often) === 0 ? Array.from({ length: random.below(6) }, () => random.of(words)).join("") : quiet.repeat(random.below(9))));
  return Buffer.concat(lines.join(ending).split("\xff").flatMap((part, index) => (index === 0 ? [Buffer.from(part)] : [Buffer.of(0xff), Buffer.from(part)])));
}

function byFinder(regex: Regex, text: Buffer): readonly number[] {
  const finder = new LineFinder(regex, unmetered);
  const lines: number[] = [];
  finder.reset();
  for (let at = 0; at < text.length && finder.next(text, at); at = finder.end + 1) lines.push(finder.start);
  return lines;
}

function lineByLine(regex: Regex, text: Buffer): readonly number[] {
  const lines: number[] = [];
  for (let at = 0; at < text.length; ) {
    const found = text.indexOf(10, at);
    const end = found === -1 ? text.length : found;
    const line = Buffer.from(text.subarray(at, end + 1));
    const possible = regex.findEnd(line, 0, line.length);
    const hit = possible === -1 ? -1 : regex.confirm(line, 0, line.length, possible);
    if (hit !== -1 && hit <= end - at) lines.push(at);
    at = end + 1;
  }
  return lines;
}

it(`[T22] finds every line that matches, whatever it looks for first, with ${patterns} random patterns`, () => {
  const seed = testSeed();
  const random = randomSource(seed);
  let scanned = 0;
  for (let checked = 0; checked < patterns; ) {
    const pattern = random.below(4) === 0 ? randomPattern(random) : madeOfPieces(random);
    let regex: Regex;
    try {
      regex = compileRegex(pattern, options);
    } catch (error) {
      expect(error).toBeInstanceOf(PatternError);
      continue;
    }
    const windows = requiredWindows(regex.hir);
    if (windows && WindowScanner.of(windows)) scanned += 1;
    const text = longText(random);
    expect({ seed, pattern, lines: byFinder(regex, text) }).toEqual({ seed, pattern, lines: lineByLine(compileRegex(pattern, options), text) });
    checked += 1;
  }
  expect(scanned).toBeGreaterThan(patterns / 10);
}, 600_000);

it("finds what stands at any place of a long calm text, and nothing beyond it", () => {
  const line = Buffer.from("nothing to see in this line of text\n");
  for (const pattern of ["(?i)needle", "needles|haystack|needle!", "need[a-z]e[0-9]|needle", "[A-Za-z]_[0-9]{4}_[a-z]|needle"]) {
    const regex = compileRegex(pattern, options);
    for (let place = 0; place < 8000; place += 391) {
      const text = Buffer.concat(Array.from({ length: 8000 }, (_, index) => (index === place ? Buffer.from("a needle!\n") : line)));
      expect(byFinder(regex, text)).toEqual([place * line.length]);
      expect(byFinder(regex, text.subarray(0, place * line.length))).toEqual([]);
    }
  }
});

it("begins a line where it begins, though a part of what is looked for stood in it before", () => {
  for (const pattern of ["\\w_bar", "^bar_bar", "\\wbar_bar|^\\w{3}_bar$"]) {
    expect(byFinder(compileRegex(pattern, options), Buffer.from("123_\r\nbar_bar\r\nbar\n"))).toEqual([6]);
  }
});

it("gives the scan up where the text is full of what almost fits, and finds the lines all the same", () => {
  const text = Buffer.from(`${"b".repeat(70_000)}\n${"ab".repeat(35_000)}\naaabbb\n`);
  const regex = compileRegex("a{3}b{3}|zzzzzz", options);
  const windows = requiredWindows(regex.hir);
  expect(windows && WindowScanner.of(windows)?.next(text, 0, unmetered)).toBe(scanGaveUp);
  expect(byFinder(regex, text)).toEqual([140_002]);
});

it.each([
  { name: "looks repeated in repeats", pattern: `${"(?:".repeat(4)}\\b${"){16}".repeat(4)}` },
  { name: "texts repeated in repeats", pattern: `${"(?:".repeat(120)}${"){1}".repeat(120)}(?:(?:a{16}){16}){16}` },
  { name: "thousands of wide classes", pattern: "[ -~]".repeat(12_000) },
  { name: "thousands of alternations", pattern: `(?:${Array.from({ length: 32 }, (_, index) => `a${index}b`).join("|")})`.repeat(1000) },
  { name: "alternations 200 deep", pattern: `${"(?:a|b".repeat(200)}${")".repeat(200)}` },
  { name: "one long literal", pattern: "abcdefghij".repeat(19_000) },
  { name: "letters with many forms", pattern: `(?i)${"ks".repeat(2000)}` },
])("asks what a hostile pattern must contain at once: $name", ({ pattern }) => {
  const { hir } = compileRegex(pattern, options);
  const windows = requiredWindows(hir)?.windows ?? [];
  expect(windows.length).toBeLessThanOrEqual(32);
  for (const window of windows) expect(window.length).toBeLessThanOrEqual(16);
});
