import picomatch from "picomatch";
import { describe, expect, it } from "vitest";
import { globMatcher } from "../../../src/search/glob/glob-matcher.ts";
import { randomSource, type RandomSource, testSeed } from "../../random-source.ts";

// picomatch, which may not match in earnest because it backtracks, says what globs mean.

const globs = process.env["FENCEPOST_DEEP"] ? 8000 : 1500;
const pathsAGlob = 30;
const elements = ["a", "b", "c", ".", "a.ts", "*", "?", "[ab]", "[!a]", "[a-c]", "[^b]", "-", "_"] as const;
const nameParts = ["a", "b", "c", "d", ".", "-", "_", ".ts"] as const;
const options = { nonegate: true, noextglob: true, strictSlashes: true, posix: true, literalBrackets: false } as const;

function several(random: RandomSource, most: number, make: () => string, joint: string): string {
  return Array.from({ length: 1 + random.below(most) }, make).join(joint);
}

function randomGlob(random: RandomSource): string {
  const text = (): string => several(random, 2, () => random.of(elements), "");
  const braces = (): string => `{${text()},${several(random, 2, text, ",")}}`;
  const segment = (): string => (random.below(6) === 0 ? "**" : several(random, 3, () => (random.below(5) === 0 ? braces() : random.of(elements)), ""));
  return several(random, 3, segment, "/");
}

function randomPath(random: RandomSource): string {
  return several(random, 3, () => several(random, 3, () => random.of(nameParts), ""), "/");
}

/** Names that end in a dot are left out: picomatch wants something behind it where a star stands. What else it reads in other ways: more than two stars, two beside or in braces, one alone in braces behind `**`, `.` and `..`, and, against hidden names, sets and wildcards in braces. */
function isCommonGround(glob: string, dot: boolean): boolean {
  return !/\*{3}|[{,]\*{2}|\*{2}\{|\*\*\/\{(?:[^}]*,)?\*[,}]|(?:^|[{,/])\.\.?(?:[},/]|$)|\.\./u.test(glob) && (dot || !/(?:^|[{,/])\[|[{,][*?]/u.test(glob));
}

describe("globs", () => {
  it(`mean what picomatch takes them to mean, on ${globs} random globs`, () => {
    const seed = testSeed();
    const random = randomSource(seed);
    for (let compared = 0; compared < globs; ) {
      const glob = randomGlob(random);
      const dot = random.below(2) === 0;
      if (!isCommonGround(glob, dot)) continue;
      compared += 1;
      const ours = globMatcher(glob, { matchesHidden: dot, ignoreCase: false, namesAtAnyDepth: false });
      const theirs = picomatch(glob, { ...options, dot });
      const paths = Array.from({ length: pathsAGlob }, () => randomPath(random)).filter((path) => !path.split("/").some((name) => name.endsWith(".")));
      expect({ seed, glob, dot, matched: paths.filter((path) => ours.matches(path)) }).toEqual({ seed, glob, dot, matched: paths.filter((path) => theirs(path)) });
    }
  });
});

describe("what picomatch is not asked to do", () => {
  const plain = { matchesHidden: false, ignoreCase: false, namesAtAnyDepth: false };

  it.each([
    // Its parser never comes back from four backslashes.
    { name: "four backslashes", glob: "\\".repeat(4), path: "\\\\", matched: true },
    { name: "two thousand backslashes", glob: "\\".repeat(2000), path: "a", matched: false },
    // It shows hidden names to wildcards in braces and to sets.
    { name: "a wildcard in braces, a hidden name", glob: "{*,b}", path: ".env", matched: false },
    { name: "a set, a hidden name", glob: "[!a]*", path: ".env", matched: false },
    { name: "a star behind a dot", glob: "*.*", path: "a.", matched: true },
    // It lets that star stand for no name at all.
    { name: "a lone star in braces, behind any depth", glob: "*b/**/{a.ts,*}", path: "b", matched: false },
    // It forgets other items beside dots, takes escaped letters for classes, and parentheses for groups.
    { name: "the item after dots", glob: "{a..b,c}", path: "c", matched: true },
    { name: "the item before dots", glob: "{a,b..c}", path: "a", matched: true },
    { name: "an escaped letter", glob: "\\d", path: "d", matched: true },
    { name: "parentheses", glob: "app/(group)/*.tsx", path: "app/(group)/page.tsx", matched: true },
    // It backtracks.
    { name: "five stars", glob: "*a*a*a*a*b", path: "a".repeat(200), matched: false },
    { name: "10,000 characters of stars", glob: `${"*a".repeat(5000)}b`, path: "a".repeat(200), matched: false },
    { name: "1500 times any depth", glob: `${"**/a/".repeat(1500)}b`, path: "a/".repeat(800), matched: false },
    { name: "braces 45 deep", glob: `${"{".repeat(45)}a${",b}".repeat(45)}`, path: "a", matched: true },
    { name: "10,000 characters of sets", glob: "[a-z]*".repeat(1600), path: "a".repeat(255), matched: false },
  ])("answers at once, and by what is written: $name", ({ glob, path, matched }) => {
    expect(globMatcher(glob, plain).matches(path)).toBe(matched);
  });
});
