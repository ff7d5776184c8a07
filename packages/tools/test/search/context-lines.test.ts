import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { randomSource, type RandomSource } from "../random-source.ts";
import { makeSearchPlace, type SearchPlace } from "./search-place.ts";

// What context lines grep shows, against a few lines that say what it should.

/** What a search reads of a file at once. */
const pieceBytes = 256 * 1024;
const maxShownOfAFile = 50;

let place: SearchPlace;
beforeEach(async () => {
  place = await makeSearchPlace();
});
afterEach(() => place.close());

/** What is shown of a file with these lines, of which those with "hit" match. */
function shown(lines: readonly string[], context: number): string {
  const matches = lines.flatMap((line, index) => (line.includes("hit") ? [index] : []));
  const kept = matches.slice(0, maxShownOfAFile);
  const end = matches[maxShownOfAFile] ?? lines.length;
  const numbers = lines.map((_, index) => index).filter((index) => index < end && kept.some((match) => Math.abs(match - index) <= context));
  const texts = numbers.flatMap((index, at) => [...(context > 0 && at > 0 && index > numbers[at - 1]! + 1 ? ["--"] : []), `${index + 1}${matches.includes(index) ? ":" : "-"}${lines[index]}`]);
  return [...texts, ...(matches.length > kept.length ? [`(+${matches.length - kept.length} more matching lines in this file)`] : [])].join("\n");
}

function randomLines(random: RandomSource, count: number, rate: number, longest: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `${index}${" some text".repeat(random.below(longest))}${random.below(rate) === 0 ? " hit" : ""}`);
}

describe("context lines", () => {
  it.each([0, 1, 2, 3, 7, 10])("%i before and after each match, each line once, from the first line to the last", async (context) => {
    const random = randomSource(20 + context);
    for (let round = 0; round < 12; round += 1) {
      const lines = randomLines(random, 1 + random.below(60), random.of([2, 8, 20]), 3);
      const ending = random.of(["\n", "\r\n"]);
      place.files({ "a.txt": lines.join(ending) + random.of([ending, ""]) });
      const expected = shown(lines, context);
      const text = await place.grep({ pattern: "hit", contextLines: context });
      if (expected === "") expect(text).toBe("No matches for /hit/ in .");
      else expect(text.replace(/\n\[showing 50 of .*\]$/u, "")).toBe(`a.txt\n${expected}`);
    }
  });

  it.each([
    { at: "the first line", lines: ["hit", "b", "c", "d"], text: "1:hit\n2-b\n3-c" },
    { at: "the last line", lines: ["a", "b", "c", "hit"], text: "2-b\n3-c\n4:hit" },
    { at: "the only line", lines: ["hit"], text: "1:hit" },
    { at: "two lines that share what lies between", lines: ["hit", "b", "c", "hit", "e"], text: "1:hit\n2-b\n3-c\n4:hit\n5-e" },
    { at: "two lines whose context touches", lines: ["hit", "b", "c", "d", "e", "hit"], text: "1:hit\n2-b\n3-c\n4-d\n5-e\n6:hit" },
    { at: "two lines with one too many between", lines: ["hit", "b", "c", "d", "e", "f", "hit"], text: "1:hit\n2-b\n3-c\n--\n5-e\n6-f\n7:hit" },
    { at: "lines beside empty ones", lines: ["", "", "hit", "", ""], text: "1-\n2-\n3:hit\n4-\n5-" },
  ])("two around $at", async ({ lines, text }) => {
    for (const [name, content] of [["a.txt", lines.join("\n")], ["b.txt", `${lines.join("\n")}\n`], ["c.txt", `${lines.join("\r\n")}\r\n`]] as const) {
      // Of a line without text and without a line break nobody knows.
      if (name === "a.txt" && lines.at(-1) === "") continue;
      place.files({ [name]: content });
      expect(await place.grep({ pattern: "hit", contextLines: 2, path: name })).toBe(`${name}\n${text}`);
    }
  });

  it("do not depend on where a large file is divided for reading", async () => {
    const random = randomSource(33);
    for (let round = 0; round < 8; round += 1) {
      const lines = [...randomLines(random, 14_000, 3000, 10)];
      const ending = random.of(["\n", "\r\n"]);
      // Beside the places where a piece ends: just before, just behind, on both sides.
      let at = 0;
      for (const [index, line] of lines.entries()) {
        const piece = Math.floor(at / pieceBytes);
        at += Buffer.byteLength(line + ending);
        if (Math.floor(at / pieceBytes) > piece) for (const step of random.of([[-1], [0], [1], [-1, 1], [-3, 2], [-2, -1, 0, 1, 2]])) lines[index + step] = `${lines[index + step]?.slice(0, -4)} hit`;
      }
      place.files({ "a.txt": lines.join(ending) });
      for (const context of [1, 3, 10]) expect(await place.grep({ pattern: "hit", contextLines: context })).toBe(`a.txt\n${shown(lines, context)}`);
    }
  });

  it("surround every line of a match that spans several", async () => {
    place.files({ "a.txt": "1\n2\nfoo\nbar\n5\n6\n7\n8\nfoo\nbar\nfoo\nbar\n" });
    expect(await place.grep({ pattern: "foo\\nbar", multiline: true, contextLines: 1 })).toBe("a.txt\n2-2\n3:foo\n4:bar\n5-5\n--\n8-8\n9:foo\n10:bar\n11:foo\n12:bar");
    expect(await place.grep({ pattern: "bar\\n5", multiline: true, contextLines: 2 })).toBe("a.txt\n2-2\n3-foo\n4:bar\n5:5\n6-6\n7-7");
    const random = randomSource(5);
    for (let round = 0; round < 6; round += 1) {
      const lines = randomLines(random, 8000, 900, 10);
      place.files({ "a.txt": lines.join("\n") });
      for (const context of [1, 4]) expect(await place.grep({ pattern: "(?s:.)hit|\\n\\n", multiline: true, contextLines: context })).toBe(`a.txt\n${shown(lines, context)}`);
    }
  });

  it("are those of each file", async () => {
    place.files({ "a.txt": "one\nhit\n", "b.txt": "hit\ntwo\n", "c.txt": "three\n" });
    expect(await place.grep({ pattern: "hit", contextLines: 3 })).toBe("a.txt\n1-one\n2:hit\n\nb.txt\n1:hit\n2-two");
  });

  it("[T22] are not counted as matching lines, in the text, the numbers or the full list", async () => {
    place.files({ "a.txt": "no\nhit\nno\n".repeat(60), "b.txt": "no\nhit\n" });
    const result = await place.grepResult({ pattern: "hit", contextLines: 1 });
    expect(result.data).toMatchObject({ matchingLines: 61, files: 2, shownLines: 51 });
    const text = await place.grep({ pattern: "hit", contextLines: 1 });
    expect(text).toContain("149:hit\n150-no\n(+10 more matching lines in this file)\n\nb.txt\n1-no\n2:hit\n[showing 51 of 61 matching lines in 2 files; full list saved to ");
  });

  it("[T22] [G-18] end where the line that is not shown any more begins", async () => {
    place.files({ "a.txt": "hit\n".repeat(52), "b.txt": `${"hit\n".repeat(50)}x\nhit\ny\nz\n`, "c.txt": `${"hit\n".repeat(50)}x\ny\nz\n` });
    const text = await place.grep({ pattern: "hit", contextLines: 2 });
    expect(text).toContain("\n50:hit\n(+2 more matching lines in this file)\n\nb.txt\n1:hit\n");
    expect(text).toContain("\n50:hit\n51-x\n(+1 more matching lines in this file)\n\nc.txt\n1:hit\n");
    expect(text).toContain("\n50:hit\n51-x\n52-y\n[showing 150 of 153 matching lines in 3 files; full list saved to ");
  });

  it("[T22] of a match that is left out because 250 lines are shown are left out as well", async () => {
    for (let file = 0; file < 6; file += 1) place.files({ [`f${file}.txt`]: file === 4 ? "no\nhit\nno\nno\n".repeat(45) : "no\nhit\nno\nno\n".repeat(49) });
    const text = await place.grep({ pattern: "hit", contextLines: 1 });
    // 4 × 49, 45, and the first nine of the last file.
    expect(text).toContain("\n\nf5.txt\n1-no\n2:hit\n3-no\n--\n5-no\n");
    expect(text.slice(text.indexOf("\n\nf5.txt"))).toMatch(/\n--\n33-no\n34:hit\n35-no\n\(\+40 more matching lines in this file\)\n\[showing 250 of 290 matching lines in 6 files; full list saved to \S+\]$/u);
  });
});
