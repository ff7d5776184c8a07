import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeSearchPlace, type SearchPlace } from "../search-place.ts";

let place: SearchPlace;
beforeEach(async () => {
  place = await makeSearchPlace();
});
afterEach(() => place.close());

/** More than a file is read at a time. */
const long = 300_000;
const cut = `${"x".repeat(2000)}... (line truncated to 2000 bytes)`;

/** Without the last line, which says where the lines are whole. */
async function shown(input: Parameters<SearchPlace["grep"]>[0]): Promise<string> {
  return (await place.grep(input)).replace(/\n\[showing [^\n]*$/u, "");
}

describe("context lines longer than what is read at a time", () => {
  it("do not keep a search from going on", async () => {
    place.files({ "a.txt": `a hit\n${"x".repeat(long)}\nend\n` });
    expect(await shown({ pattern: "hit", contextLines: 1 })).toBe(`a.txt\n1:a hit\n2-${cut}`);
    expect(await shown({ pattern: "end", contextLines: 2 })).toBe(`a.txt\n1-a hit\n2-${cut}\n3:end`);
    expect(await place.grep({ pattern: "hit", contextLines: 10, outputMode: "count" })).toBe("a.txt:1");
    expect(await place.grep({ pattern: "miss", contextLines: 10 })).toBe("No matches for /miss/ in .");
  });

  it("are all there, many of them in a row", async () => {
    place.files({ "a.txt": `first\n${`${"x".repeat(long)}\n`.repeat(9)}hit\n` });
    expect(await shown({ pattern: "hit", contextLines: 10 })).toBe(`a.txt\n1-first\n${Array.from({ length: 9 }, (_, index) => `${index + 2}-${cut}\n`).join("")}11:hit`);
  });
});

describe("a hit far behind the beginning of its line", () => {
  it("[G-19] is shown in a window of the width that is told, whether the line goes on or not", async () => {
    const before = "x".repeat(5000);
    place.files({ "a.txt": `${before}hit${"y".repeat(5000)}\n`, "b.txt": `${before}hit\n` });
    const lines = (await shown({ pattern: "hit" })).split("\n").filter((line) => line.startsWith("1:"));
    expect(lines).toHaveLength(2);
    const window = /^1:\((\d+) bytes\) \.\.\.([xyhit]+)\.\.\. \(line truncated to 2000 bytes\)$/u;
    for (const line of lines) {
      const [, skipped, part = ""] = window.exec(line) ?? [];
      expect(part).toHaveLength(2000);
      expect(`${before}hit`.indexOf("hit") - Number(skipped)).toBe(part.indexOf("hit"));
    }
  });
});
