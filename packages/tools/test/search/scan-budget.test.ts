import { afterEach, describe, expect, it } from "vitest";
import type { ToolOptions } from "../../src/context/tool-options.ts";
import { makeSearchPlace, type SearchPlace } from "./search-place.ts";

const kib = 1024;
const line = `a hit${"-".repeat(58)}\n`;

let place: SearchPlace;
afterEach(() => place.close());

async function makePlace(scanBudget: ToolOptions["scanBudget"]): Promise<void> {
  place = await makeSearchPlace({ scanBudget });
}

/** Files of this many KiB each, whose lines of 64 bytes all match. */
function write(count: number, kibibytes: number): void {
  place.files(Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${String(index).padStart(2, "0")}.txt`, line.repeat(kibibytes * 16)])));
}

const counted = (text: string): number => Number(/\[at least (\d+) /u.exec(text)?.[1]);

describe("the bytes that a search may read", () => {
  it("end it inside one file, and what was found by then is shown", async () => {
    await makePlace({ maxBytes: 1024 * kib });
    write(1, 8 * 1024);
    const text = await place.grep({ pattern: "hit" });
    expect(text).toMatch(/^f00\.txt\n1:a hit-+\n2:a hit[^[]*\n\[at least \d+ matching lines in 1 files; the scan budget is used up — narrow the path or glob\]$/u);
    // What it reads at once it may read beyond: 256 KiB.
    expect(counted(text)).toBeGreaterThanOrEqual((1024 * kib) / 64 - 1);
    expect(counted(text)).toBeLessThanOrEqual((1024 + 2 * 256) * kib / 64);
    expect(await place.grep({ pattern: "hit", path: "f00.txt" })).toBe(text);
  });

  it("are those of all files and all threads together", async () => {
    await makePlace({ maxBytes: 200 * kib });
    write(60, 10);
    const text = await place.grep({ pattern: "hit", outputMode: "files_with_matches" });
    expect(text).toMatch(/\[at least \d+ files with matches; the scan budget is used up — narrow the path or glob\]$/u);
    // Each thread may be within one file when it is used up.
    expect(counted(text)).toBeGreaterThanOrEqual(20);
    expect(counted(text)).toBeLessThanOrEqual(20 + 5);
  });

  it("are those of the files, however small these are", async () => {
    await makePlace({ maxBytes: 100 * kib });
    place.files(Object.fromEntries(Array.from({ length: 240 }, (_, index) => [`f${index}.txt`, "a hit\n"])));
    expect((await place.grep({ pattern: "hit", outputMode: "files_with_matches" })).split("\n")).toHaveLength(240);
  });

  it("are not asked for names, nor changed from one search to the next", async () => {
    await makePlace({ maxBytes: 200 * kib });
    write(15, 10);
    for (let round = 0; round < 3; round += 1) {
      expect(await place.grep({ pattern: "hit", outputMode: "count", path: "f00.txt" })).toBe("f00.txt:160");
      expect((await place.grep({ pattern: "hit", outputMode: "files_with_matches" })).split("\n")).toHaveLength(15);
    }
    write(60, 10);
    expect((await place.glob({ pattern: "*" })).split("\n")).toHaveLength(60);
  });

  it("are also those of the second look at the one file that is named and binary", async () => {
    await makePlace({ maxBytes: 1024 * kib });
    place.files({ "b.bin": `\0${line.repeat(8 * 1024 * 16)}`, "small.bin": `\0${line}` });
    const text = await place.grep({ pattern: "hit", path: "b.bin" });
    const lines = Number(/\(at least (\d+) lines of this binary file match; use bash to look into it\)$/u.exec(text)?.[1]);
    expect(lines).toBeGreaterThan(0);
    expect(lines).toBeLessThanOrEqual(1024 * kib / 64);
    expect(await place.grep({ pattern: "hit", path: "small.bin" })).toMatch(/\(1 line of this binary file matches; use bash to look into it\)$/u);
  });

  it("say so, too, where nothing was found", async () => {
    await makePlace({ maxBytes: 100 * kib });
    write(60, 10);
    expect(await place.grep({ pattern: "miss" })).toBe("[at least 0 matching lines in 0 files; the scan budget is used up — narrow the path or glob]");
  });
});

describe("files above the size that a search may read", () => {
  it("are skipped and counted beside what was found in others", async () => {
    await makePlace({ maxFileBytes: 10 * kib });
    place.files({ "large.txt": line.repeat(161), "small.txt": line.repeat(160) });
    expect(await place.grep({ pattern: "hit", outputMode: "count" })).toBe("small.txt:160\n[1 file skipped because it or one of its lines is too large]");
    expect(await place.grep({ pattern: "miss" })).toBe("No matches for /miss/ in . (1 file skipped because it or one of its lines is too large)");
  });
});
