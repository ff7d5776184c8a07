import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { anyLineEnd } from "../../src/search/any-line-end.ts";
import { makeSearchPlace, type SearchPlace } from "./search-place.ts";

let place: SearchPlace;
beforeEach(async () => {
  place = await makeSearchPlace();
});
afterEach(() => place.close());

describe("a pattern for any line end", () => {
  it.each([
    [String.raw`a\nb`, String.raw`a\r?\nb`],
    ["a\nb", String.raw`a\r?\nb`],
    [String.raw`a\n+b\n{2}`, String.raw`a(?:\r?\n)+b(?:\r?\n){2}`],
    [String.raw`\n\n`, String.raw`\r?\n\r?\n`],
    [String.raw`a\r\nb\r?\nc\r*\n`, String.raw`a\r\nb\r?\nc\r*\n`],
    [String.raw`[^\n]*\n[\]\n]`, String.raw`[^\n]*\r?\n[\]\n]`],
    [String.raw`C:\\new\n`, String.raw`C:\\new\r?\n`],
    [String.raw`\[\n\]`, String.raw`\[\r?\n\]`],
    ["no line break", "no line break"],
  ])("of %j is %j", (pattern, expected) => {
    expect(anyLineEnd(pattern)).toBe(expected);
  });
});

describe("[T22] [G-30] grep over several lines that found nothing", () => {
  it("says what would match where lines end in \\r\\n", async () => {
    place.files({ "win.txt": "one {\r\n  two\r\n}\r\n", "unix.txt": "one\n  three\n" });
    expect(await place.grep({ pattern: String.raw`one.*\n\s+two`, multiline: true })).toBe(String.raw`No matches for /one.*\n\s+two/ in . (2 lines match where lines end in \r\n: search for /one.*\r?\n\s+two/)`);
    expect(await place.grep({ pattern: String.raw`one.*\r?\n\s+two`, multiline: true })).toBe("win.txt\n1:one {\n2:  two");
    const long = `one.*\\n\\s+two${"x?".repeat(60)}`;
    expect(await place.grep({ pattern: long, multiline: true })).toContain(String.raw`(2 lines match where lines end in \r\n: write \r?\n for each line break)`);
  });

  it("and nothing of it where that would not match either, or no line ends so", async () => {
    place.files({ "win.txt": "one\r\ntwo\r\n", "unix.txt": "three\nfour\n" });
    expect(await place.grep({ pattern: String.raw`one\nfour`, multiline: true })).toBe(String.raw`No matches for /one\nfour/ in .`);
    expect(await place.grep({ pattern: String.raw`three\nfour`, multiline: true })).toBe("unix.txt\n1:three\n2:four");
  });

  it("and is no error where the pattern would become too large", async () => {
    place.files({ "win.txt": "a\r\n" });
    expect(await place.grep({ pattern: String.raw`(?:a\n){100000}`, multiline: true })).toBe(String.raw`No matches for /(?:a\n){100000}/ in .`);
  });
});
