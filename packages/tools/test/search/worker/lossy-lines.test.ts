import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { showLine } from "../../../src/search/worker/shown-line.ts";
import { makeSearchPlace, type SearchPlace } from "../search-place.ts";

const mark = "... (line truncated to 20 bytes)";

function shown(line: Buffer | string, hit: number): string {
  const text = Buffer.from(line);
  return showLine(text, { number: 1, start: 0, end: text.length, hit }, 20).text;
}

describe("a line that is no UTF-8", () => {
  it("[T22] is cut to what is shown of it, not to what lies in the file", () => {
    expect(shown(Buffer.from("\xe9".repeat(6), "latin1"), -1)).toBe("\uFFFD".repeat(6));
    expect(shown(Buffer.from("\xe9".repeat(20), "latin1"), -1)).toBe(`${"\uFFFD".repeat(6)}${mark}`);
    expect(shown("a".repeat(20), -1)).toBe("a".repeat(20));
    expect(shown("a".repeat(21), -1)).toBe(`${"a".repeat(20)}${mark}`);
  });

  it("[G-19] shows the hit in it", () => {
    const line = Buffer.concat([Buffer.from("\xe9".repeat(100), "latin1"), Buffer.from("HIT"), Buffer.from("\xe9".repeat(100), "latin1")]);
    expect(shown(line, 103)).toMatch(/^\(\d+ bytes\) \.\.\.\uFFFD+HIT\uFFFD*\.\.\. \(line truncated to 20 bytes\)$/u);
    expect(shown(`${"é".repeat(100)}HIT`, 203)).toBe(`(184 bytes) ...${"é".repeat(8)}HIT${mark}`);
  });

  it("is cut between characters on both sides", () => {
    for (let before = 0; before < 8; before += 1) {
      const line = `${"a".repeat(before)}${"🙂".repeat(40)}HIT${"🙂".repeat(40)}`;
      expect(shown(line, Buffer.from(line).indexOf("HIT") + 3)).not.toContain("\uFFFD");
      expect(shown(line, 1)).not.toContain("\uFFFD");
    }
  });
});

let place: SearchPlace;
beforeEach(async () => {
  place = await makeSearchPlace();
});

describe("in a result", () => {
  afterEach(() => place.close());

  it("[T22] beside lines that are longer once they are decoded a match is shown, with its context", async () => {
    const bad = `${"\xe9".repeat(1900)}\n`.repeat(30);
    place.files({ "lat/a.txt": Buffer.from(`${bad}needle\n${bad}`, "latin1"), "lat/b.txt": "needle b\n" });
    const text = await place.grep({ pattern: "needle", path: "lat", contextLines: 10 });
    expect(text).toContain("\n31:needle\n");
    expect(text).toMatch(/\[showing 1 of 2 matching lines in 2 files; full list saved to /u);
    const some = await place.grep({ pattern: "needle", path: "lat", contextLines: 3 });
    expect(some).toContain("\n31:needle\n");
    expect(some).toContain("lat/b.txt\n1:needle b");
  });

  it("lines before a match that are longer than is kept are left out, the match is not", async () => {
    const file = openSync(join(place.workspace, "a.txt"), "w");
    const long = Buffer.alloc(7 * 1024 * 1024, "a");
    long[long.length - 1] = 10;
    for (let line = 0; line < 10; line += 1) writeSync(file, long);
    writeSync(file, "needle\nafter\n");
    closeSync(file);
    const text = await place.grep({ pattern: "needle", contextLines: 10 });
    expect(text).toMatch(/^a\.txt\n(?:\d+-a{2000}\.\.\. \(line truncated to 2000 bytes\)\n){2,9}11:needle\n12-after\n\[showing 1 of 1 /u);
  });

  it("[T22] a matching line of many million bytes that are no UTF-8 takes no more memory than another", async () => {
    place.files({ "a.txt": Buffer.concat([Buffer.from("needle "), Buffer.alloc(40 * 1024 * 1024, 0xff), Buffer.from("\n")]) });
    await place.grep({ pattern: "needle", outputMode: "count" });
    const before = process.memoryUsage.rss();
    let peak = before;
    const look = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 2);
    await place.grep({ pattern: "needle" });
    clearInterval(look);
    expect((peak - before) / 1e6).toBeLessThan(130);
  });
});
