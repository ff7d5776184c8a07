import { expect, it } from "vitest";
import { unmetered } from "../../../src/regex/automata/meter.ts";
import { compileRegex } from "../../../src/regex/compile.ts";
import { requiredLiteral } from "../../../src/regex/literals.ts";
import { LineFinder } from "../../../src/search/worker/line-finder.ts";
import { LongLiteral } from "../../../src/search/worker/long-literal.ts";
import { randomSource, testSeed } from "../../random-source.ts";

const options = { multiLine: true, crlf: true, withinLine: true };

function longLiteral(text: string): LongLiteral {
  return new LongLiteral(requiredLiteral(compileRegex(text, options).hir)!, unmetered);
}

it("stands where the text itself says it does, however it repeats itself", () => {
  const seed = testSeed();
  const random = randomSource(seed);
  for (let count = 0; count < 3000; count += 1) {
    const word = (most: number): string => Array.from({ length: 1 + random.below(most) }, () => random.of(["a", "b", "é"])).join("");
    const unit = word(4);
    const literal = unit.repeat(1 + random.below(4)) + random.of(["", word(3)]);
    const text = Buffer.from(Array.from({ length: 12 }, () => random.of([unit, literal, literal.slice(0, -1), word(2)])).join(""));
    const from = random.below(text.length);
    expect({ seed, literal, text: text.toString(), from, at: longLiteral(literal).indexIn(text, from) }).toEqual({ seed, literal, text: text.toString(), from, at: text.indexOf(literal, from) });
  }
});

it("[T22] a literal of 200,000 characters is found where it stands, in a line that almost is it again and again", () => {
  const unit = `x${"a".repeat(49)}`;
  const pattern = `${unit.repeat(3999)}b`;
  const text = Buffer.from(`${unit.repeat(20_000)}\n${unit.repeat(10_000)}b${unit}\nb\n`);
  const finder = new LineFinder(compileRegex(pattern, options), unmetered);
  finder.reset();
  expect(finder.next(text, 0)).toBe(true);
  expect([finder.start, finder.hit, finder.end]).toEqual([1_000_001, 1_500_002, 1_500_052]);
  expect(finder.next(text, finder.end + 1)).toBe(false);
});
