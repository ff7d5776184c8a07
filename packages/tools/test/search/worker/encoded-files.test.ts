import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { randomSource, testSeed } from "../../random-source.ts";
import { makeSearchPlace, type SearchPlace } from "../search-place.ts";

let place: SearchPlace;
beforeEach(async () => {
  place = await makeSearchPlace();
});
afterEach(() => place.close());

const littleEndian = (text: string): Buffer => Buffer.from(`\uFEFF${text}`, "utf16le");
const bigEndian = (text: string): Buffer => littleEndian(text).swap16();

describe("a file in UTF-16", () => {
  it("[G-10] is searched as text, in either order of bytes", async () => {
    place.files({ "big.txt": bigEndian("é 🙂 TODO\r\nnext\n"), "little.txt": littleEndian("é 🙂 TODO\r\nnext\n") });
    expect(await place.grep({ pattern: "é . TODO$", contextLines: 1 })).toBe("big.txt\n1:é 🙂 TODO\n2-next\n\nlittle.txt\n1:é 🙂 TODO\n2-next");
  });

  it("[G-10] is read piece by piece: characters and lines that lie across pieces are whole, and numbered", async () => {
    const line = `${"🙂é€a".repeat(50)}\n`;
    const text = `${line.repeat(3000)}TODO ${"€".repeat(400_000)} end\n${line.repeat(500)}TODO last`;
    place.files({ "big.txt": bigEndian(text), "little.txt": littleEndian(text) });
    for (const name of ["big.txt", "little.txt"]) {
      expect(await place.grep({ pattern: "^(?:🙂é€a){50}$", path: name, outputMode: "count" })).toBe(`${name}:3500`);
      expect(await place.grep({ pattern: "TODO €+ end$|TODO last$", path: name })).toMatch(/\n3001:\(1198010 bytes\) \.\.\.€+ end\.\.\. \(line truncated to 2000 bytes\)\n3502:TODO last\n/u);
    }
  });

  it("[G-10] has the line numbers it would have in UTF-8, with context across pieces as well", async () => {
    const random = randomSource(testSeed());
    for (let round = 0; round < 6; round += 1) {
      const text = Array.from({ length: 9000 }, () => (random.below(400) === 0 ? "needle\n" : `${"é".repeat(random.below(60))}x\n`)).join("");
      place.files({ "utf8.txt": text, "utf16.txt": random.below(2) === 0 ? bigEndian(text) : littleEndian(text) });
      const contextLines = 1 + random.below(10);
      const lines = async (path: string): Promise<string> => (await place.grep({ pattern: "needle", path, contextLines })).replaceAll(path, "").replace(/saved to .*/u, "");
      expect(await lines("utf16.txt"), `seed ${testSeed()}, round ${round}`).toBe(await lines("utf8.txt"));
    }
  });

  it("shows what is no character as U+FFFD: half a pair, half a unit at the end", async () => {
    place.files({ "a.txt": Buffer.concat([littleEndian("TODO \ud800x\nTODO"), Buffer.from("z")]) });
    expect(await place.grep({ pattern: "TODO" })).toBe("a.txt\n1:TODO \uFFFDx\n2:TODO\uFFFD");
  });

  it("[G-11] is binary from a U+0000 on, as with rg", async () => {
    place.files({ "a.txt": littleEndian("TODO 1\nb\0\nTODO 2\n"), "b.txt": bigEndian("\0\nTODO\n") });
    expect(await place.grep({ pattern: "TODO", glob: "a.txt" })).toBe("a.txt\n1:TODO 1\n[1 file with matches was not searched to its end: it is binary or too large from there on]");
    expect(await place.grep({ pattern: "TODO", path: "b.txt" })).toBe("No matches for /TODO/ in b.txt (1 line of this binary file matches; use bash to look into it)");
  });

  it("is skipped where it is larger than a file may be", async () => {
    await place.close();
    place = await makeSearchPlace({ scanBudget: { maxFileBytes: 1000 } });
    place.files({ "a.txt": littleEndian("TODO\n".repeat(200)) });
    expect(await place.grep({ pattern: "TODO" })).toBe("No matches for /TODO/ in . (1 file skipped because it or one of its lines is too large)");
  });
});

it("[G-10] the mark of UTF-8 is shown nowhere, in no context line either", async () => {
  place.files({ "a.txt": "\uFEFFfirst\nTODO\n", "b.txt": "\uFEFF", "c.txt": `\uFEFF${"x".repeat(300_000)}\nTODO\n` });
  expect(await place.grep({ pattern: "TODO", contextLines: 1, glob: "a.txt" })).toBe("a.txt\n1-first\n2:TODO");
  expect(await place.grep({ pattern: "^first", glob: "a.txt" })).toBe("a.txt\n1:first");
  expect(await place.grep({ pattern: "TODO", glob: "c.txt" })).toBe("c.txt\n2:TODO");
});

it("[T26] the saved list can be read though lines in it are no UTF-8", async () => {
  const line = Buffer.from("TODO \xff\xc3 \xe9\n", "latin1");
  writeFileSync(join(place.workspace, "a.txt"), Buffer.concat(Array.from({ length: 60 }, () => line)));
  const text = await place.grep({ pattern: "TODO" });
  const saved = /full list saved to (\S+)\]/u.exec(text)?.[1] ?? "";
  expect(new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(saved))).toBe(Array.from({ length: 60 }, (_, index) => `a.txt:${index + 1}:TODO \uFFFD\uFFFD \uFFFD\n`).join(""));
});
