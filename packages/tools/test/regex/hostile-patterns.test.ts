import { describe, expect, it } from "vitest";
import { compileRegex } from "../../src/regex/compile.ts";
import { PatternError } from "../../src/regex/pattern-error.ts";
import { hostilePatterns, hostileText } from "./hostile-patterns.ts";

class OutOfTime extends Error {}

describe("hostile patterns", () => {
  it("are a collection of at least 40", () => expect(hostilePatterns.length).toBeGreaterThanOrEqual(40));

  it.each(hostilePatterns.map((hostile) => [hostile.pattern, hostile] as const))("%s answers on long text, asking for the time as it goes", (pattern, hostile) => {
    const regex = compileRegex(pattern, { multiLine: true, withinLine: !pattern.includes("\\n") });
    const bytes = hostileText(hostile, 300_000);
    let questions = 0;
    const end = regex.findEnd(bytes, 0, bytes.length, () => (questions += 1));
    expect(end).toBeGreaterThanOrEqual(-1);
    expect(end === -1 ? questions : 1).toBeGreaterThanOrEqual(1);
  });

  it("can be ended in the middle of a line", () => {
    const regex = compileRegex("[ab]*a[ab]{20}[cd]", { withinLine: true });
    const bytes = hostileText({ pattern: "", unit: "ab", mixed: true }, 2_000_000);
    let questions = 0;
    const meter = (): void => {
      questions += 1;
      if (questions === 3) throw new OutOfTime();
    };
    expect(() => regex.findEnd(bytes, 0, bytes.length, meter)).toThrow(OutOfTime);
    expect(() => regex.findSpan(bytes, 0, bytes.length, 0, meter)).not.toThrow(PatternError);
  });

  it("that would grow without bound are refused with what to do", () => {
    for (const pattern of ["(?:\\w{1,500}){1,500}", "(?:(?:a{1,1000}){1,1000}){1,1000}", "a{100000}{100000}"]) {
      expect(() => compileRegex(pattern)).toThrow(/too large once its repetitions are written out/u);
    }
  });
});
