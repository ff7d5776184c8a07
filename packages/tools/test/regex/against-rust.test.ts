import { RRegex } from "rregex";
import { describe, expect, it } from "vitest";
import { compileRegex } from "../../src/regex/compile.ts";
import type { Regex } from "../../src/regex/regex.ts";
import { randomPattern, randomText } from "./random-regex.ts";
import { randomSource, testSeed } from "../random-source.ts";

// Rust's own crate, compiled to WebAssembly, says what is right.

// Most of the time is compiling: a plain run tries each pattern on many texts, a deep one five times as many patterns.
const pairs = process.env["FENCEPOST_DEEP"] ? 40_000 : 20_000;
const textsAPattern = process.env["FENCEPOST_DEEP"] ? 16 : 40;

interface Outcome {
  readonly start: number;
  readonly end: number;
}

function theirs(pattern: string): RRegex | undefined {
  try {
    return new RRegex(pattern);
  } catch {
    return undefined;
  }
}

function compare(pattern: string, regex: Regex, oracle: RRegex, text: string): string | undefined {
  const bytes = new TextEncoder().encode(text);
  const expected: Outcome | undefined = oracle.find(text);
  const found = regex.findSpan(bytes, 0, bytes.length);
  const possible = regex.findEnd(bytes, 0, bytes.length);
  const matches = possible !== -1 && regex.confirm(bytes, 0, bytes.length, possible) !== -1;
  const said = JSON.stringify({ pattern, text });
  if (matches !== (expected !== undefined)) return `${said}: matches ${matches}, findEnd says ${possible}`;
  if (found?.start !== expected?.start || found?.end !== expected?.end) return `${said}: ${JSON.stringify(found)} instead of ${expected?.start}-${expected?.end}`;
  return undefined;
}

describe("the engine against Rust's regex crate", () => {
  it(`agrees on ${pairs} random pairs of pattern and text`, () => {
    const seed = testSeed();
    const random = randomSource(seed);
    const faults: string[] = [];
    for (let checked = 0; checked < pairs; ) {
      const pattern = randomPattern(random);
      const oracle = theirs(pattern);
      if (!oracle) continue;
      const regex = compileRegex(pattern);
      for (let count = 0; count < textsAPattern; count += 1, checked += 1) {
        const fault = compare(pattern, regex, oracle, randomText(random));
        if (fault !== undefined) faults.push(fault);
      }
      oracle.free();
    }
    expect({ seed, faults: faults.slice(0, 10) }).toEqual({ seed, faults: [] });
  }, 600_000);
});
