import { afterEach, beforeEach, expect, it } from "vitest";
import { randomSource, testSeed } from "../../random-source.ts";
import { makeSearchPlace, type SearchPlace } from "../search-place.ts";

let place: SearchPlace;
beforeEach(async () => {
  place = await makeSearchPlace();
});
afterEach(() => place.close());

it("[P8] many matches in one line take time linear in it, with multiline as well", async () => {
  place.files({ "min.js": "function a(b,c){return b+c*d(e)};".repeat(120_000) });
  for (const pattern of ["a", "\\bb\\b", "c\\)|\\n"]) {
    expect(await place.grep({ pattern, multiline: true, outputMode: "count" })).toBe("min.js:1");
  }
});

/** The numbers of the lines that a match touches; a line break at its end counts for the line that it ends. */
function touched(text: string, pattern: string): readonly number[] {
  const lineOf = (at: number): number => text.slice(0, at).split("\n").length;
  const numbers = new Set<number>();
  for (const { index, 0: found } of text.matchAll(new RegExp(pattern, "gmu"))) {
    if (index === text.length && text.endsWith("\n")) continue;
    const last = Math.max(index, found.endsWith("\n") ? index + found.length - 1 : index + found.length);
    for (let line = lineOf(index); line <= lineOf(last); line += 1) numbers.add(line);
  }
  return [...numbers];
}

it("shows every line that a match touches, however matches follow each other, as another engine finds them", async () => {
  const random = randomSource(testSeed());
  for (const pattern of ["a|b\\nc", "b\\n+", "a\\nb|ab", "(?:a|\\n)b", "c[ab]*\\n?a", "^b", "c$", "\\n", "b\\b"]) {
    for (let round = 0; round < 12; round += 1) {
      const text = Array.from({ length: 60 }, () => random.of(["a", "b", "c", " ", "\n"])).join("");
      place.files({ "a.txt": text });
      const shown = (await place.grep({ pattern, path: "a.txt", multiline: true })).split("\n").flatMap((line) => /^(\d+):/u.exec(line)?.[1] ?? []).map(Number);
      expect(shown, `${pattern} in ${JSON.stringify(text)}, seed ${testSeed()}`).toEqual(touched(text, pattern));
    }
  }
});

it("[G-07] takes a carriage return before a line break for a part of that, as without multiline", async () => {
  place.files({ "a.txt": "one foo(bar)\r\nlast\r\n" });
  const shown = (pattern: string): Promise<string> => place.grep({ pattern, multiline: true });
  expect(await shown("bar\\)$")).toBe("a.txt\n1:one foo(bar)");
  expect(await shown("^last$")).toBe("a.txt\n2:last");
  expect(await shown("bar\\)$\\s*^last")).toBe("a.txt\n1:one foo(bar)\n2:last");
  expect(await shown("\\)\\r?\\nlast$")).toBe("a.txt\n1:one foo(bar)\n2:last");
});
