import { expect, it } from "vitest";
import { compileRegex } from "../../src/regex/compile.ts";
import { PatternError } from "../../src/regex/pattern-error.ts";
import type { Regex } from "../../src/regex/regex.ts";
import { randomPattern, randomText } from "./random-regex.ts";
import { randomSource, type RandomSource, testSeed } from "../random-source.ts";

// Long calm text is read in four places at once. What is found there must be what reading line by line finds.

const patterns = process.env["FENCEPOST_DEEP"] ? 3000 : 300;

/** Every line that matches, found in the whole text. */
function inOneText(regex: Regex, text: Buffer): readonly number[] {
  const lines: number[] = [];
  for (let at = 0; at < text.length; ) {
    const end = regex.findEnd(text, at, text.length);
    if (end === -1 || (end === text.length && text[end - 1] === 10)) break;
    const start = end === 0 ? 0 : text.lastIndexOf(10, end - 1) + 1;
    lines.push(start);
    at = lineBreakAfter(text, end) + 1;
  }
  return lines;
}

/** The same, each line asked for alone. */
function lineByLine(regex: Regex, text: Buffer): readonly number[] {
  const lines: number[] = [];
  for (let at = 0; at < text.length; at = lineBreakAfter(text, at) + 1) {
    const line = Buffer.from(text.subarray(at, lineBreakAfter(text, at) + 1));
    const end = regex.findEnd(line, 0, line.length);
    if (end !== -1 && !(end === line.length && line[end - 1] === 10)) lines.push(at);
  }
  return lines;
}

function lineBreakAfter(text: Buffer, at: number): number {
  const found = text.indexOf(10, at);
  return found === -1 ? text.length : found;
}

function longText(random: RandomSource): Buffer {
  const quiet = random.of(["-", "quiet text", "日本 ", "x.y", "\t"]);
  const ending = random.of(["\n", "\r\n"]);
  const lines = Array.from({ length: 400 }, () => (random.below(60) === 0 ? randomText(random).replaceAll(/[\r\n]/gu, "") : quiet.repeat(random.below(30))));
  return Buffer.from(lines.join(ending) + random.of(["", ending]));
}

it(`finds the same lines side by side as one after the other, with ${patterns} random patterns`, () => {
  const seed = testSeed();
  const random = randomSource(seed);
  const options = { multiLine: true, crlf: true, withinLine: true };
  for (let checked = 0; checked < patterns; ) {
    const pattern = randomPattern(random);
    try {
      compileRegex(pattern, options);
    } catch (error) {
      expect(error).toBeInstanceOf(PatternError);
      continue;
    }
    const text = longText(random);
    expect({ seed, pattern, text: text.toString(), lines: inOneText(compileRegex(pattern, options), text) }).toEqual({ seed, pattern, text: text.toString(), lines: lineByLine(compileRegex(pattern, options), text) });
    checked += 1;
  }
}, 600_000);

it("finds a match wherever in a long calm text it stands", () => {
  const line = Buffer.from("nothing to see in this line of text\n");
  const regex = compileRegex("need(le|les)|[0-9]{3}x", { withinLine: true });
  for (let place = 0; place < 4000; place += 37) {
    const text = Buffer.concat(Array.from({ length: 4000 }, (_, index) => (index === place ? Buffer.from("a needle\n") : line)));
    expect(regex.findEnd(text, 0, text.length)).toBe(place * line.length + "a needle".length);
    expect(regex.findEnd(text, 0, place * line.length)).toBe(-1);
  }
});
