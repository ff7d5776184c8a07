import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { filesOfOneTime, makeSearchPlace, type SearchPlace } from "./search-place.ts";

// A place that is named is searched, whatever its own name is and whatever leads to it.

let place: SearchPlace;
beforeEach(async () => {
  place = await makeSearchPlace();
});
afterEach(() => place.close());

const hits = (...paths: readonly string[]): void => filesOfOneTime(place, paths, "hit\n");

describe("a hidden place", () => {
  beforeEach(() => hits(".github/w.yml", ".github/sub/x.yml", ".github/.secret/y.yml", ".github/.z.yml", ".env"));

  it("[G-08] [G-28] is searched as a directory that is named, but what is hidden in it is not", async () => {
    expect(await place.grep({ pattern: "hit", path: ".github", outputMode: "files_with_matches" })).toBe(".github/sub/x.yml\n.github/w.yml");
    expect(await place.glob({ pattern: "**/*.yml", path: ".github" })).toBe(".github/sub/x.yml\n.github/w.yml");
    expect(await place.glob({ pattern: "*.yml", path: ".github" })).toBe(".github/w.yml");
    expect(await place.glob({ pattern: ".secret/*", path: ".github" })).toBe(".github/.secret/y.yml");
  });

  it("[G-08] [G-28] is searched as a file that is named", async () => {
    expect(await place.grep({ pattern: "hit", path: ".github/w.yml" })).toBe(".github/w.yml\n1:hit");
    expect(await place.grep({ pattern: "hit", path: ".env" })).toBe(".env\n1:hit");
    expect(await place.grep({ pattern: "hit", path: ".github/.secret/y.yml" })).toBe(".github/.secret/y.yml\n1:hit");
  });

  it("[G-08] is searched where the place that is named lies in it", async () => {
    expect(await place.grep({ pattern: "hit", path: ".github/sub" })).toBe(".github/sub/x.yml\n1:hit");
    expect(await place.grep({ pattern: "hit", path: ".github/.secret" })).toBe(".github/.secret/y.yml\n1:hit");
  });
});

describe("a link", () => {
  beforeEach(() => {
    hits("real/a.txt", "real/b.txt", "other.txt");
    mkdirSync(join(place.outside, "d"));
    writeFileSync(join(place.outside, "d/b.txt"), "hit\n");
  });

  it("to a file is searched where it is named, under the name that was given", async () => {
    symlinkSync("real/a.txt", join(place.workspace, "file-link"));
    expect(await place.grep({ pattern: "hit", path: "file-link" })).toBe("file-link\n1:hit");
    expect(await place.grep({ pattern: "hit", path: "file-link", outputMode: "count" })).toBe("file-link:1");
    expect(await place.grep({ pattern: "miss", path: "file-link" })).toBe("No matches for /miss/ in file-link");
    expect(await place.grep({ pattern: "hit", outputMode: "files_with_matches" })).toBe("other.txt\nreal/a.txt\nreal/b.txt");
  });

  it("to a link to a file outside is searched likewise", async () => {
    symlinkSync(join(place.outside, "d/b.txt"), join(place.outside, "second"));
    symlinkSync(join(place.outside, "second"), join(place.workspace, "first"));
    expect(await place.grep({ pattern: "hit", path: "first" })).toBe("first\n1:hit");
  });

  it("to a directory is searched where it is named, by both tools, and no link in it is followed", async () => {
    symlinkSync("../other.txt", join(place.workspace, "real/link.txt"));
    symlinkSync("real", join(place.workspace, "directory-link"));
    expect(await place.grep({ pattern: "hit", path: "directory-link", outputMode: "files_with_matches" })).toBe("directory-link/a.txt\ndirectory-link/b.txt");
    expect(await place.glob({ pattern: "*", path: "directory-link" })).toBe("directory-link/a.txt\ndirectory-link/b.txt");
    expect(await place.grep({ pattern: "hit", path: "directory-link/a.txt" })).toBe("directory-link/a.txt\n1:hit");
  });

  it("[T47] that leads nowhere, or to itself, is told", async () => {
    symlinkSync("gone", join(place.workspace, "dead"));
    symlinkSync("circle", join(place.workspace, "circle"));
    for (const path of ["dead", "circle"]) {
      for (const result of [await place.grepResult({ pattern: "hit", path }), await place.globResult({ pattern: "*", path })]) expect([path, result]).toEqual([path, expect.objectContaining({ status: "failed" })]);
    }
    expect(await place.glob({ pattern: "*" })).toBe("other.txt");
  });

  it("[P7] to a credential path is not", async () => {
    mkdirSync(join(place.home, ".ssh"));
    writeFileSync(join(place.home, ".ssh/id"), "hit\n");
    symlinkSync(join(place.home, ".ssh"), join(place.workspace, "keys"));
    symlinkSync(join(place.home, ".ssh/id"), join(place.workspace, "key"));
    for (const path of ["keys", "key"]) expect(await place.grepResult({ pattern: "hit", path })).toMatchObject({ status: "denied", sandboxDenied: true });
    expect(await place.globResult({ pattern: "*", path: "keys" })).toMatchObject({ status: "denied", sandboxDenied: true });
    expect(await place.grep({ pattern: "hit", outputMode: "files_with_matches" })).toBe("other.txt\nreal/a.txt\nreal/b.txt");
  });
});
