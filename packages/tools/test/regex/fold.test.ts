import { expect, it } from "vitest";
import { foldCase } from "../../src/regex/unicode/fold.ts";
import { propertyRanges } from "../../src/regex/unicode/property.ts";

// The platform's own engine folds by the same rules and the same version of Unicode, but tells no list.

const pointsOf = (ranges: readonly number[]): number[] => {
  const points: number[] = [];
  for (let index = 0; index < ranges.length; index += 2) for (let point = ranges[index]!; point <= ranges[index + 1]!; point += 1) points.push(point);
  return points;
};

it("every character with a case is found in all its cases, and in no other", () => {
  const points = pointsOf(propertyRanges("Changes_When_Casemapped") ?? []);
  expect(points.length).toBeGreaterThan(2800);
  const lines = points.map((point) => String.fromCodePoint(point)).join("\n");
  const faults: string[] = [];
  for (const point of points) {
    const expected = [...lines.matchAll(new RegExp(`^\\u{${point.toString(16)}}$`, "gimu"))].map(([character]) => character);
    const found = pointsOf(foldCase([point, point])).map((other) => String.fromCodePoint(other));
    if (found.join(" ") !== expected.join(" ")) faults.push(`U+${point.toString(16)}: ${found.join(" ")} instead of ${expected.join(" ")}`);
  }
  expect(faults).toEqual([]);
});
