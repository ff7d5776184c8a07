import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { filesOfOneTime, makeSearchPlace, setTime, type SearchPlace } from "../search/search-place.ts";

let place: SearchPlace;
beforeEach(async () => {
  place = await makeSearchPlace();
});
afterEach(() => place.close());

const files = (...paths: readonly string[]): void => filesOfOneTime(place, paths);

describe("what glob shows", () => {
  it("[L-01] [T24] [T26] shows the newest hundred of many, the exact total, and keeps the list in walk order", async () => {
    const names = Array.from({ length: 150 }, (_, index) => `f${String(index).padStart(3, "0")}.txt`);
    files(...names);
    names.forEach((name, index) => setTime(place, name, 1_700_000_000 + index));
    const text = await place.glob({ pattern: "**/*" });
    const lines = text.split("\n");
    expect(lines.slice(0, 100)).toEqual(names.toReversed().slice(0, 100));
    expect(lines[100]).toMatch(/^\[showing the 100 most recently modified of 150 files; full list saved to \S+\]$/u);
    expect(readFileSync(/saved to (\S+)\]/u.exec(text)?.[1] ?? "none", "utf8").trimEnd().split("\n")).toEqual(names);
  });

  it("[L-02] orders files of one time by their paths", async () => {
    files("c.ts", "a.ts", "b/z.ts", "b/a.ts", "d.ts");
    expect(await place.glob({ pattern: "**/*.ts" })).toBe("a.ts\nb/a.ts\nb/z.ts\nc.ts\nd.ts");
  });

  it("shows paths from the working directory, whatever is searched", async () => {
    files("src/a/x.ts", "src/y.ts");
    expect(await place.glob({ pattern: "**/*.ts", path: "src" })).toBe("src/a/x.ts\nsrc/y.ts");
    expect(await place.glob({ pattern: "*.ts", path: "src" })).toBe("src/y.ts");
  });

  it("[P-09] writes a line break in a name as an escape", async () => {
    files("a\nb.txt");
    expect(await place.glob({ pattern: "*.txt" })).toBe("a\\nb.txt");
  });
});

describe("what glob takes as a pattern", () => {
  it("[L-05] takes braces, and explains one that is open", async () => {
    files("x.ts", "y.tsx", "z.js");
    expect(await place.glob({ pattern: "*.{ts,tsx}" })).toBe("x.ts\ny.tsx");
    expect(await place.glob({ pattern: "{a" })).toBe("invalid tool input: `pattern` cannot be used: a { has no closing }; write \\{ to match a brace");
  });

  it("[L-06] [L-07] [P-08] finds names that hold the characters of globs", async () => {
    files("{a}.txt", "a b.txt", "[id]/page.tsx", "[id]/[slug]/x.tsx", "i/page.tsx");
    expect(await place.glob({ pattern: "{a}.txt" })).toBe("{a}.txt");
    expect(await place.glob({ pattern: "a b.txt" })).toBe("a b.txt");
    expect(await place.glob({ pattern: "[id]/*.tsx" })).toBe("[id]/page.tsx\ni/page.tsx");
    expect(await place.glob({ pattern: "\\[id\\]/*.tsx" })).toBe("[id]/page.tsx");
    expect(await place.glob({ pattern: "[id]/[slug]/*" })).toBe("[id]/[slug]/x.tsx");
  });

  it("[L-09] compares case, and says where only that differs", async () => {
    files("a.md");
    expect(await place.glob({ pattern: "*.MD" })).toBe("No files match *.MD in . (1 file matches with another case)");
  });

  it("[L-10] matches one segment with one star", async () => {
    files("src/a/index.ts", "src/a/b/index.ts", "src/index.ts");
    expect(await place.glob({ pattern: "src/*/index.ts" })).toBe("src/a/index.ts");
    expect(await place.glob({ pattern: "src/**/index.ts" })).toBe("src/a/b/index.ts\nsrc/a/index.ts\nsrc/index.ts");
  });

  it("[L-11] finds files only, and says how to name those of a directory", async () => {
    files("src/a.ts");
    expect(await place.glob({ pattern: "src" })).toBe("No files match src in . (it is a directory: use src/** for the files below it)");
    expect(await place.glob({ pattern: "src/" })).toBe("No files match src/ in . (it is a directory: use src/** for the files below it)");
    expect(await place.glob({ pattern: "src/**" })).toBe("src/a.ts");
  });

  it("says where the same name lies deeper", async () => {
    files("src/a.ts", "src/b/c.ts");
    expect(await place.glob({ pattern: "*.ts" })).toBe("No files match *.ts in . (2 files match **/*.ts)");
  });

  it("[L-09] [L-11] [L-14] says the same of hidden entries that the pattern names", async () => {
    files(".github/a.yml", ".ci/a.gen");
    place.files({ ".gitignore": "*.gen\n" });
    expect(await place.glob({ pattern: ".GitHub/*.yml" })).toBe("No files match .GitHub/*.yml in . (1 file matches with another case)");
    expect(await place.glob({ pattern: ".github" })).toBe("No files match .github in . (it is a directory: use .github/** for the files below it)");
    expect(await place.glob({ pattern: ".ci/*" })).toBe("No files match .ci/* in . (1 file skipped by ignore rules)");
  });

  it("[L-12] takes a leading dash as text", async () => {
    files("-x.txt");
    expect(await place.glob({ pattern: "-*.txt" })).toBe("-x.txt");
  });

  it("[L-16] finds a name in another Unicode form", async () => {
    files("café.txt".normalize("NFD"));
    expect(await place.glob({ pattern: "café*".normalize("NFC") })).toBe("café.txt".normalize("NFD"));
  });

  it("refuses absolute patterns and patterns that climb, with the way to write them", async () => {
    expect(await place.glob({ pattern: "/etc/**/*.conf" })).toBe('invalid tool input: `pattern` cannot be used: it is an absolute path; patterns are relative to `path`. Write `path`: "/etc" and `pattern`: "**/*.conf"');
    for (const pattern of ["../x", "a/../b", "{../a,b}"]) expect(await place.glob({ pattern })).toMatch(/`pattern` cannot be used: it contains `\.\.`/u);
    expect(await place.glob({ pattern: "~/x" })).toMatch(/it begins with ~/u);
  });

  it("repeats no more of a long pattern than its beginning", async () => {
    files("a/b.txt");
    const pattern = `${"*".repeat(19_990)}.txt`;
    expect(await place.glob({ pattern })).toBe(`No files match ${"*".repeat(200)}… in . (1 file matches **/${"*".repeat(200)}…)`);
    expect(await place.grep({ pattern: "x", glob: "é".repeat(3000) })).toBe(`No matches for /x/ in . (no file matches the glob "${"é".repeat(200)}…", which is relative to \`path\`)`);
  });

  it("repeats no absolute pattern that is longer than a path", async () => {
    const start = "invalid tool input: `pattern` cannot be used: it is an absolute path; patterns are relative to `path`. ";
    expect(await place.glob({ pattern: `/${"é".repeat(4095)}` })).toBe(`${start}Write \`path\`: "/" and \`pattern\`: "${"é".repeat(4095)}"`);
    expect(await place.glob({ pattern: `/${"é".repeat(19_000)}` })).toBe(`${start}Give the directory to search in \`path\`, and what follows it in \`pattern\``);
  });

  it("answers hostile patterns at once", async () => {
    files("a".repeat(200), "b/a.txt");
    for (const pattern of ["*a*a*a*a*a*a*a*a*b", `${"*a".repeat(2000)}b`, "**/".repeat(2000) + "x", "{a,b}".repeat(500), `${"{".repeat(40)}a${",b}".repeat(40)}`, "?".repeat(9000), "[a-z]*".repeat(1000)]) {
      expect(await place.globResult({ pattern })).toMatchObject({ status: "succeeded", data: { complete: true } });
    }
  });
});

describe("where glob looks", () => {
  it("skips hidden entries unless the pattern names them", async () => {
    files(".github/a.yml", ".github/.b.yml", ".env", "x.yml", ".git/config");
    expect(await place.glob({ pattern: "**/*" })).toBe("x.yml");
    expect(await place.glob({ pattern: ".github/*.yml" })).toBe(".github/a.yml");
    expect(await place.glob({ pattern: "**/.env" })).toBe(".env");
    expect(await place.glob({ pattern: "**/*", includeHidden: true })).toBe(".env\n.github/.b.yml\n.github/a.yml\nx.yml");
  });

  it("[L-14] says that ignore rules hid what matches", async () => {
    files("out/1.txt", "out/2.txt", "a.md");
    place.files({ ".gitignore": "out/\n" });
    expect(await place.glob({ pattern: "**/*.txt" })).toBe("No files match **/*.txt in . (2 files skipped by ignore rules)");
    expect(await place.glob({ pattern: "*.txt", path: "out" })).toBe("out/1.txt\nout/2.txt");
  });

  it("[T47] skips links and FIFOs, and refuses a file as its directory", async () => {
    files("a.txt");
    execFileSync("mkfifo", [join(place.workspace, "pipe.txt")]);
    symlinkSync("a.txt", join(place.workspace, "link.txt"));
    expect(await place.glob({ pattern: "*.txt" })).toBe("a.txt");
    expect(await place.glob({ pattern: "*", path: "a.txt" })).toMatch(/^a\.txt is a file, not a directory\./u);
    expect(await place.glob({ pattern: "*", path: "nope" })).toBe("nope does not exist. Use list on ., or glob, to find it.");
  });

  it("[P7] never enters credential paths, whatever the root", async () => {
    mkdirSync(join(place.home, ".ssh"));
    writeFileSync(join(place.home, ".ssh", "id"), "");
    writeFileSync(join(place.home, ".netrc"), "");
    expect(await place.glob({ pattern: "**/*", path: place.home, includeHidden: true })).toMatch(/^No files match/u);
    expect(await place.glob({ pattern: ".ssh/*", path: place.home })).toMatch(/^No files match/u);
    expect((await place.globResult({ pattern: "*", path: join(place.home, ".ssh") })).status).toBe("denied");
  });

  it("[W-14] finds no temporary file of ours", async () => {
    files(".fp-1-2-0123abcd.tmp", "x");
    expect(await place.glob({ pattern: "**/*", includeHidden: true })).toBe("x");
  });
});
