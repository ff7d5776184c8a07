import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeSearchPlace, type SearchPlace } from "./search-place.ts";

// A pattern that finds nothing, and was meant as it stands: the result says so, and how to write it.

let place: SearchPlace;
beforeEach(async () => {
  place = await makeSearchPlace();
});
afterEach(() => place.close());

describe("[T22] [G-38] grep that found nothing says that the pattern stands in the text as it is", () => {
  it.each([
    ["foo(bar)", String.raw`foo\(bar\)`],
    ["a.b[0]", String.raw`a\.b\[0\]`],
    ["array[0]", String.raw`array\[0\]`],
    ["$price", String.raw`\$price`],
    ["2 * (a+b)? {c}", String.raw`2 \* \(a\+b\)\? \{c\}`],
    ["x^2", String.raw`x\^2`],
    ["x^a|y^b", String.raw`x\^a\|y\^b`],
    [String.raw`\d+\.\d`, String.raw`\\d\+\\\.\\d`],
  ])("/%s/", async (pattern, escaped) => {
    place.files({ "a.txt": `one ${pattern} two\n`, "b.txt": "other\n" });
    const text = await place.grep({ pattern });
    expect(text).toBe(`No matches for /${pattern}/ in . (1 line contains it as plain text: search for /${escaped}/)`);
    expect(await place.grep({ pattern: escaped })).toBe(`a.txt\n1:one ${pattern} two`);
  });

  it("in any case where that is asked for, and over lines", async () => {
    place.files({ "a.txt": "Call FOO(bar)\nfoo(bar) foo(bar)\n" });
    expect(await place.grep({ pattern: "foo(bar)", ignoreCase: true })).toBe("No matches for /foo(bar)/ in . (2 lines contain it as plain text: search for /foo\\(bar\\)/)");
    expect(await place.grep({ pattern: "foo(bar)$", multiline: true })).toBe("No matches for /foo(bar)$/ in .");
    expect(await place.grep({ pattern: "foo(bar)", multiline: true })).toBe("No matches for /foo(bar)/ in . (1 line contains it as plain text: search for /foo\\(bar\\)/)");
  });

  it("and nothing of it where it does not, or where something matches", async () => {
    place.files({ "a.txt": "foo(bar)\n", "b.txt": "foobar\n" });
    expect(await place.grep({ pattern: "foo(bar)" })).toBe("b.txt\n1:foobar");
    expect(await place.grep({ pattern: "foo(baz)" })).toBe("No matches for /foo(baz)/ in .");
    expect(await place.grep({ pattern: "foo(bar)", path: "a.txt" })).toContain("as plain text");
  });

  it("without a long pattern, and nothing of one that is longer still", async () => {
    const middle = `f(${"x".repeat(150)})`;
    const long = `f(${"x".repeat(250)})`;
    place.files({ "a.txt": `${middle}\n${long}\n` });
    expect(await place.grep({ pattern: middle })).toBe(`No matches for /${middle}/ in . (1 line contains it as plain text: write a \\ before its special characters)`);
    expect(await place.grep({ pattern: long })).toMatch(/ in \.$/u);
  });

  it("as far as it looks: beyond a thousand files the count is the least there is", async () => {
    place.files(Object.fromEntries(Array.from({ length: 1005 }, (_, index) => [`f${index}`, "foo(bar)\n"])));
    expect(await place.grep({ pattern: "foo(bar)" })).toBe("No matches for /foo(bar)/ in . (at least 1000 lines contain it as plain text: search for /foo\\(bar\\)/)");
  }, 30_000);
});
