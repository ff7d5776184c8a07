import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { makeSearchPlace, type SearchPlace } from "./search-place.ts";

// Whoever writes an ignore file must not be able to end a search with it.

let place: SearchPlace;
beforeEach(async () => {
  place = await makeSearchPlace();
});
afterEach(() => place.close());

const lines = (count: number, line: (index: number) => string): string => Array.from({ length: count }, (_, index) => line(index)).join("\n");

it.each([
  { name: "one rule two million times", rules: "b\n".repeat(2_000_000) },
  { name: "600,000 names", rules: lines(600_000, (index) => `r${index.toString(36)}`) },
  { name: "400,000 paths", rules: lines(400_000, (index) => `/x/${index.toString(36)}`) },
  { name: "20,000 wildcards", rules: lines(20_000, (index) => `?${index.toString(36)}*z[a-z]?`) },
  { name: "20,000 paths of wildcards", rules: lines(20_000, (index) => `**/?/*?/*?/*?/**/[a-z]*/${index}`) },
  { name: "long wildcards", rules: lines(900, (index) => `${"*a".repeat(2000)}${index}`) },
  { name: "ten megabytes", rules: "hit.txt\n".repeat(1_300_000) },
])("[T47] a search goes on beside an ignore file of $name", async ({ rules }) => {
  place.files({ ".gitignore": rules, "hit.txt": "a hit\n", [`sub/${"a".repeat(200)}`]: "nothing\n" });
  expect(await place.grep({ pattern: "hit" })).toBe("hit.txt\n1:a hit");
});

it("[T47] nor do ignore files of many directories, one inside the other, take the memory of all", async () => {
  const contents: Record<string, string> = { "hit.txt": "a hit\n" };
  for (let depth = 1; depth <= 6; depth += 1) contents[`${"d/".repeat(depth)}.gitignore`] = lines(100_000, (index) => `r${depth}-${index.toString(36)}`);
  place.files({ ...contents, [`${"d/".repeat(6)}end.txt`]: "a hit\n" });
  expect(await place.grep({ pattern: "hit", outputMode: "files_with_matches" })).toBe(`${"d/".repeat(6)}end.txt\nhit.txt`);
});

it("[T47] obeys 100,000 rules", async () => {
  place.files({ ".gitignore": lines(100_000, (index) => `r${index}`), r99999: "a hit\n", r100000: "a hit\n" });
  expect(await place.grep({ pattern: "hit" })).toBe("r100000\n1:a hit");
});

it("[G-33] [T47] ignore files that are no files are left alone", async () => {
  place.files({ "a/hit.txt": "a hit\n", "b/hit.txt": "a hit\n", "c/hit.txt": "a hit\n" });
  for (const name of [".gitignore", ".ignore", ".git"]) {
    symlinkSync("/dev/zero", join(place.workspace, "a", name));
    execFileSync("mkfifo", [join(place.workspace, "b", name)]);
    mkdirSync(join(place.workspace, "c", name));
  }
  expect(await place.grep({ pattern: "hit", outputMode: "files_with_matches" })).toBe("a/hit.txt\nb/hit.txt\nc/hit.txt");
});
