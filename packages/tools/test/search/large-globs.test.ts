import { afterEach, beforeEach, expect, it } from "vitest";
import { maxGlobCharacters } from "../../src/search/glob/max-glob-characters.ts";
import { makeSearchPlace, type SearchPlace } from "./search-place.ts";

let place: SearchPlace;
beforeEach(async () => {
  place = await makeSearchPlace();
  place.files({ "a.txt": "hit\n" });
});
afterEach(() => place.close());

it("[P8] a glob as long as it may be is an answer, though what it may have meant would be longer", async () => {
  const withDirectory = `${"x".repeat(maxGlobCharacters - "/*.txt".length)}/*.txt`;
  for (const pattern of ["x".repeat(maxGlobCharacters), withDirectory]) expect(await place.glob({ pattern })).toMatch(/^No files match x+… in \.$/u);
  expect(await place.grep({ pattern: "miss", glob: withDirectory })).toMatch(/^No matches for \/miss\/ in \./u);
});

const refusal = (range: string): string => `invalid tool input: \`pattern\` cannot be used: its ranges up to ${range} stand for more than 1000 numbers; use [0-9] or *`;

it("[P8] ranges of numbers stand for a thousand at most, all those of a glob together", async () => {
  expect(await place.glob({ pattern: "{1..99999}.txt" })).toBe(refusal("{1..99999}"));
  expect(await place.glob({ pattern: "{1..500}".repeat(2000) })).toBe(refusal("{1..500}"));
  expect(await place.glob({ pattern: "{a,{1..500}{501..1000}}.txt" })).toBe("a.txt");
});
