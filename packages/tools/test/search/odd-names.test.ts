import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeSearchPlace, setTime, type SearchPlace } from "./search-place.ts";

let place: SearchPlace;
beforeEach(async () => {
  place = await makeSearchPlace();
});
afterEach(() => place.close());

const spilled = (text: string): string => readFileSync(/saved to (\S+?)[\]; ]/u.exec(text)?.[1] ?? "none", "utf8");

/** A path of the workspace that ends in a name of these bytes. */
const raw = (directory: string, ...name: readonly (string | number)[]): Buffer => Buffer.concat([Buffer.from(`${join(place.workspace, directory)}/`), ...name.map((part) => (typeof part === "string" ? Buffer.from(part) : Buffer.of(part)))]);

// Only Linux has such names.
describe.runIf(process.platform === "linux")("a name that is not UTF-8", () => {
  it("[T47] is counted as unreadable: what was shown of it would name no file", async () => {
    place.files({ "a.txt": "hit\n" });
    writeFileSync(raw("", "b", 0xff, ".txt"), "hit\n");
    writeFileSync(raw("", 0xc3), "hit\n");
    expect(await place.grep({ pattern: "hit" })).toBe("a.txt\n1:hit\n[2 paths could not be read]");
    expect(await place.glob({ pattern: "*.txt" })).toBe("a.txt\n[1 path could not be read]");
    expect(await place.grep({ pattern: "miss" })).toBe("No matches for /miss/ in . (2 paths unreadable)");
  });

  it("[T47] of a directory counts once, and nothing in it is searched", async () => {
    place.files({ "z/a.txt": "hit\n" });
    mkdirSync(raw("", "d", 0xfe));
    writeFileSync(raw("", "d", 0xfe, "/one.txt"), "hit\n");
    writeFileSync(raw("", "d", 0xfe, "/two.txt"), "hit\n");
    expect(await place.grep({ pattern: "hit" })).toBe("z/a.txt\n1:hit\n[1 path could not be read]");
    expect(await place.glob({ pattern: "**/*.txt" })).toBe("z/a.txt\n[1 path could not be read]");
  });

  it("is not counted where it would not have been searched", async () => {
    place.files({ "a.txt": "hit\n", ".gitignore": "*.log\nout/\n", "out/x": "hit\n" });
    for (const name of [raw("", ".", 0xff), raw("", 0xff, ".log"), raw("out", 0xff)]) writeFileSync(name, "hit\n");
    expect(await place.grep({ pattern: "hit" })).toBe("a.txt\n1:hit");
  });

  it("is not confused with one that holds the character shown in its place", async () => {
    place.files({ "\uFFFD.txt": "hit\n", "d\uFFFD/a.txt": "hit\n" });
    writeFileSync(raw("", 0xff, ".md"), "hit\n");
    expect(await place.grep({ pattern: "hit" })).toBe("d\uFFFD/a.txt\n1:hit\n\n\uFFFD.txt\n1:hit\n[1 path could not be read]");
    expect(await place.glob({ pattern: "\uFFFD*.txt" })).toBe("\uFFFD.txt");
  });
});

describe("a name with characters that would break a line, or hide one", () => {
  const odd = "a\nb\u001B[31m\u202E.txt";
  const shown = "a\\nb\\u001b[31m\\u202e.txt";

  it("[P-09] is escaped in each mode of grep, and in its full list", async () => {
    place.files({ [odd]: "hit\n".repeat(60), "d\re/f.txt": "hit\n" });
    const text = await place.grep({ pattern: "hit" });
    expect(text.split("\n").slice(0, 2)).toEqual([shown, "1:hit"]);
    expect(text).toContain("\n\nd\\re/f.txt\n1:hit\n");
    expect(spilled(text)).toBe(`${Array.from({ length: 60 }, (_, index) => `${shown}:${index + 1}:hit\n`).join("")}d\\re/f.txt:1:hit\n`);
    expect(await place.grep({ pattern: "hit", outputMode: "files_with_matches" })).toBe(`${shown}\nd\\re/f.txt`);
    expect(await place.grep({ pattern: "hit", outputMode: "count" })).toBe(`${shown}:60\nd\\re/f.txt:1`);
    expect(await place.grep({ pattern: "hit", path: odd })).toMatch(/^a\\nb\\u001b\[31m\\u202e\.txt\n1:hit\n/u);
    expect(await place.grep({ pattern: "miss", path: odd })).toBe(`No matches for /miss/ in ${shown}`);
  });

  it("[P-09] is one entry of the full list in the other modes, and of glob's", async () => {
    const names = Array.from({ length: 260 }, (_, index) => `n${String(index).padStart(3, "0")}\n.txt`);
    place.files(Object.fromEntries(names.map((name) => [name, "hit\n"])));
    for (const name of names) setTime(place, name, 1_700_000_000);
    const escaped = names.map((name) => name.replace("\n", "\\n"));
    expect(spilled(await place.grep({ pattern: "hit", outputMode: "files_with_matches" })).trimEnd().split("\n")).toEqual(escaped);
    expect(spilled(await place.grep({ pattern: "hit", outputMode: "count" })).trimEnd().split("\n")).toEqual(escaped.map((name) => `${name}:1`));
    const text = await place.glob({ pattern: "*.txt" });
    expect(text.split("\n").slice(0, 100)).toEqual(escaped.slice(0, 100));
    expect(spilled(text).trimEnd().split("\n")).toEqual(escaped);
  });

  it("[G-36] with digits between colons leads to no other line of the full list", async () => {
    place.files({ "a:12:b.txt": "x\nhit\n".repeat(60) });
    expect(spilled(await place.grep({ pattern: "hit" })).split("\n").slice(0, 2)).toEqual(["a:12:b.txt:2:hit", "a:12:b.txt:4:hit"]);
  });
});
