import { describe, expect, it } from "vitest";
import { compileRegex } from "../../src/regex/compile.ts";
import { hostilePatterns, hostileText, type HostilePattern } from "./hostile-patterns.ts";

class OutOfTime extends Error {}

/** The answer for a text of so many bytes, and how often the time was asked for: once for a bounded amount of work. */
function answer(hostile: HostilePattern, bytes: number): { readonly end: number; readonly questions: number } {
  const regex = compileRegex(hostile.pattern, { multiLine: true, withinLine: !hostile.pattern.includes("\\n") });
  const text = hostileText(hostile, bytes);
  let questions = 0;
  const end = regex.findEnd(text, 0, text.length, () => (questions += 1));
  return { end, questions };
}

describe("hostile patterns", () => {
  it.each(hostilePatterns.map((hostile) => [hostile.pattern, hostile] as const))("%s takes work that is linear in the text", (_pattern, hostile) => {
    const short = answer(hostile, 600_000);
    const long = answer(hostile, 1_200_000);
    expect(long.end === -1).toBe(short.end === -1);
    if (short.end === -1) expect(short.questions).toBeGreaterThanOrEqual(1);
    expect(long.questions).toBeLessThanOrEqual(2 * short.questions + 4);
  });

  it("can be ended in the middle of a line", () => {
    const hostile = { pattern: "[ab]*a[ab]{20}[cd]", unit: "ab", mixed: true };
    const bytes = hostileText(hostile, 2_000_000);
    const ending = (): (() => void) => {
      let questions = 0;
      return () => {
        questions += 1;
        if (questions === 3) throw new OutOfTime();
      };
    };
    const lines = compileRegex(hostile.pattern, { withinLine: true });
    const spans = compileRegex(hostile.pattern);
    expect(() => lines.findEnd(bytes, 0, bytes.length, ending())).toThrow(OutOfTime);
    expect(() => spans.findSpan(bytes, 0, bytes.length, ending())).toThrow(OutOfTime);
  });

  it("that would grow without bound are refused with what to do", () => {
    for (const pattern of ["(?:\\w{1,500}){1,500}", "(?:(?:a{1,1000}){1,1000}){1,1000}", "a{100000}{100000}"]) {
      expect(() => compileRegex(pattern)).toThrow(/too large once its repetitions are written out/u);
    }
  });
});
