import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { randomSource, testSeed } from "../random-source.ts";
import { gitFiles, ourFiles, ripgrepFiles } from "./list-files.ts";
import { makeRandomTree } from "./random-tree.ts";

// git and ripgrep, as they are installed, say which files a tree has.

const trees = process.env["FENCEPOST_DEEP"] ? 300 : 60;

async function compare(judge: "git" | "ripgrep", ignoreFiles: readonly string[], theirs: (root: string) => readonly string[]): Promise<void> {
  const first = testSeed();
  const root = mkdtempSync(join(tmpdir(), "fencepost-trees-"));
  try {
    for (let seed = first; seed < first + trees; seed += 1) {
      const tree = join(root, String(seed));
      execFileSync("git", ["init", "-q", tree], { env: { PATH: process.env["PATH"], HOME: "/nonexistent" } });
      makeRandomTree(tree, randomSource(seed), ignoreFiles, judge);
      expect({ seed, tree: await ourFiles(tree) }).toEqual({ seed, tree: theirs(tree) });
    }
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

describe("ignore rules", () => {
  it(`give the files git would add, in ${trees} random trees`, () => compare("git", [".gitignore"], gitFiles), 300_000);

  it("give git's files with the repository's own info/exclude", () => compare("git", [".gitignore", ".git/info/exclude"], gitFiles), 300_000);

  it(`give ripgrep's files, in ${trees} random trees with .ignore as well`, () => compare("ripgrep", [".gitignore", ".ignore"], ripgrepFiles), 300_000);
});
