import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeSearchPlace, type SearchPlace } from "./search-place.ts";

// Which ignore files speak for a place that is named, and where their rules end.

let place: SearchPlace;
beforeEach(async () => {
  place = await makeSearchPlace();
});
afterEach(() => place.close());

/** Files of one line each that is found, beside ignore files and the like that hold what is given. */
function tree(rules: Readonly<Record<string, string>>, ...hits: readonly string[]): void {
  place.files({ ...rules, ...Object.fromEntries(hits.map((path) => [path, "hit\n"])) });
}

/** Outside the workspace. */
function outside(rules: Readonly<Record<string, string>>, ...hits: readonly string[]): void {
  for (const [path, content] of [...Object.entries(rules), ...hits.map((hit) => [hit, "hit\n"] as const)]) {
    mkdirSync(dirname(join(place.outside, path)), { recursive: true });
    writeFileSync(join(place.outside, path), content);
  }
}

/** The files that are found, from the place that was named, in walk order. */
async function found(path: string): Promise<readonly string[]> {
  const text = await place.grep({ pattern: "hit", path, outputMode: "files_with_matches" });
  const prefix = path === "." ? "" : `${path}/`;
  return text.startsWith("No matches") ? [] : text.split("\n").map((line) => (line.startsWith(prefix) ? line.slice(prefix.length) : line));
}

const repository = (at: string): Readonly<Record<string, string>> => ({ [`${at}.git/HEAD`]: "ref: refs/heads/main\n" });

describe("rules of directories above a directory that is named", () => {
  it("[G-28] leave out by name, at any depth", async () => {
    tree({ ".gitignore": "*.log\nout/\n" }, "src/a.log", "src/a.txt", "src/deep/b.log", "src/deep/out/c.txt");
    expect(await found("src")).toEqual(["a.txt"]);
    expect(await found("src/deep")).toEqual([]);
    expect(await place.glob({ pattern: "**/*", path: "src" })).toBe("src/a.txt");
  });

  it("leave out by anchored paths, which are those below the rule's own directory", async () => {
    tree({ ".gitignore": "/src/gen\n/gen\nsrc/*/x.txt\n" }, "src/gen/a.txt", "src/b/gen/a.txt", "src/b/x.txt", "src/b/c/x.txt");
    expect(await found("src")).toEqual(["b/c/x.txt", "b/gen/a.txt"]);
    expect(await found("src/b")).toEqual(["c/x.txt", "gen/a.txt"]);
  });

  it("come from each of them, and the nearest has the last word", async () => {
    tree({ ".gitignore": "*.a\n*.b\n", "one/.gitignore": "!*.a\n*.c\n", "one/two/.gitignore": "!keep.c\n" }, "one/two/three/x.a", "one/two/three/x.b", "one/two/three/x.c", "one/two/three/keep.c", "one/two/three/x.d");
    expect(await found("one/two/three")).toEqual(["keep.c", "x.a", "x.d"]);
    expect(await found("one/two")).toEqual(["three/keep.c", "three/x.a", "three/x.d"]);
  });

  it("come from .ignore and the repository's info/exclude as well", async () => {
    tree({ ...repository(""), ".git/info/exclude": "*.e\n", ".ignore": "*.i\n!*.g\n", ".gitignore": "*.g\n" }, "src/x.e", "src/x.i", "src/x.g", "src/x");
    expect(await found("src")).toEqual(["x", "x.g"]);
  });

  it("[G-29] are named as the reason where nothing is found", async () => {
    tree({ ".gitignore": "*.log\n" }, "src/a.log", "src/b.log");
    expect(await place.grep({ pattern: "hit", path: "src" })).toBe("No matches for /hit/ in src (2 files skipped by ignore rules)");
    expect(await place.glob({ pattern: "*.log", path: "src" })).toBe("No files match *.log in src (2 files skipped by ignore rules)");
  });

  it("[G-28] do not apply inside a directory that one of them ignores: it was named. Its own rules do", async () => {
    tree({ ".gitignore": "build/\n*.gen\n", "build/.gitignore": "*.tmp\n" }, "build/a.gen", "build/a.tmp", "build/sub/b.gen", "build/sub/b.tmp", "c.gen");
    expect(await found("build")).toEqual(["a.gen", "sub/b.gen"]);
    expect(await found("build/sub")).toEqual(["b.gen"]);
    expect(await found(".")).toEqual([]);
  });
});

describe("rules stop at the workspace", () => {
  it("also where a repository begins above it", async () => {
    for (const [path, content] of Object.entries({ ".gitignore": "*.txt\n/work/b.md\n", ".ignore": "*.md\n", ".git/HEAD": "ref: refs/heads/main\n", ".git/info/exclude": "*.rs\n" })) {
      mkdirSync(dirname(join(place.root, path)), { recursive: true });
      writeFileSync(join(place.root, path), content);
    }
    tree({ "src/.gitignore": "*.x\n" }, "a.txt", "b.md", "src/c.rs", "src/d.x");
    expect(await found(".")).toEqual(["a.txt", "b.md", "src/c.rs"]);
    expect(await found("src")).toEqual(["c.rs"]);
  });

  it("and the user's global list does not apply", async () => {
    mkdirSync(join(place.home, ".config/git"), { recursive: true });
    writeFileSync(join(place.home, ".config/git/ignore"), "*.txt\n");
    writeFileSync(join(place.home, ".gitignore"), "*.txt\n");
    tree(repository(""), "a.txt");
    expect(await found(".")).toEqual(["a.txt"]);
  });
});

describe("rules of a repository stop at one inside it", () => {
  beforeEach(() => {
    tree(
      { ...repository(""), ...repository("inner/"), ".gitignore": "*.log\n", ".git/info/exclude": "*.out\n", ".ignore": "*.own\n", "inner/.gitignore": "*.txt\n", "inner/.git/info/exclude": "*.in\n" },
      "a.log", "a.out", "a.own", "a.in", "inner/b.log", "inner/b.out", "inner/b.own", "inner/b.in", "inner/b.txt", "inner/sub/c.log", "inner/sub/c.out", "inner/sub/c.own", "inner/sub/c.in", "inner/sub/c.txt",
    );
  });

  it("when the walk comes to it: .ignore goes on, info/exclude is each one's own", async () => {
    expect(await found(".")).toEqual(["a.in", "inner/b.log", "inner/b.out", "inner/sub/c.log", "inner/sub/c.out"]);
  });

  it("when it is named, or a directory in it", async () => {
    expect(await found("inner")).toEqual(["b.log", "b.out", "sub/c.log", "sub/c.out"]);
    expect(await found("inner/sub")).toEqual(["c.log", "c.out"]);
  });

  it("but the inner one itself can be ignored as a whole", async () => {
    place.files({ ".gitignore": "/inner/\n" });
    expect(await found(".")).toEqual(["a.in", "a.log"]);
    expect(await found("inner/sub")).toEqual(["c.log", "c.out", "c.own"]);
  });
});

describe("outside the workspace", () => {
  it("rules of the repository around the place apply, those above the repository do not", async () => {
    outside({ ".gitignore": "*.txt\n", ".ignore": "*.txt\n", "repo/.git/HEAD": "ref: refs/heads/main\n", "repo/.git/info/exclude": "*.out\n", "repo/.gitignore": "*.log\n/src/gen\n" }, "repo/src/a.txt", "repo/src/a.log", "repo/src/a.out", "repo/src/gen/b.txt");
    expect(await found(join(place.outside, "repo"))).toEqual(["src/a.txt"]);
    expect(await found(join(place.outside, "repo/src"))).toEqual(["a.txt"]);
  });

  it("without a repository only rules from the place on downwards apply", async () => {
    outside({ ".gitignore": "*.txt\n", "plain/.gitignore": "*.log\n", "plain/sub/.gitignore": "*.md\n" }, "plain/sub/a.txt", "plain/sub/a.log", "plain/sub/a.md", "plain/b.log");
    expect(await found(join(place.outside, "plain"))).toEqual(["sub/a.txt"]);
    expect(await found(join(place.outside, "plain/sub"))).toEqual(["a.log", "a.txt"]);
  });
});
