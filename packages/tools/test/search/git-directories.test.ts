import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { gitFiles } from "./list-files.ts";
import { makeSearchPlace, type SearchPlace } from "./search-place.ts";

// A repository's own list of what it leaves out, wherever its git directory lies; git itself says what is right.

let place: SearchPlace;
beforeEach(async () => {
  place = await makeSearchPlace();
});
afterEach(() => place.close());

const at = (path: string): string => join(place.workspace, path);

function git(directory: string, ...words: readonly string[]): void {
  execFileSync("git", ["-c", "user.name=x", "-c", "user.email=x@example.org", ...words], { cwd: at(directory), stdio: "ignore", env: { PATH: process.env["PATH"], HOME: "/nonexistent", GIT_CONFIG_NOSYSTEM: "1" } });
}

const hits = (directory: string): Record<string, string> => Object.fromEntries(["a.txt", "b.out", "c.log", "sub/d.out", "sub/e.txt"].map((name) => [`${directory}/${name}`, "hit\n"]));

async function found(path: string): Promise<readonly string[]> {
  const text = await place.grep({ pattern: "hit", path, outputMode: "files_with_matches" });
  return text.split("\n").map((line) => line.slice(path.length + 1));
}

describe("info/exclude applies", () => {
  it("in a worktree, which shares it with its repository, and there the rules of directories above do not", async () => {
    mkdirSync(at("main"));
    git("main", "init", "-q");
    git("main", "commit", "-q", "--allow-empty", "-m", "first");
    git("main", "worktree", "add", "-q", "../tree");
    place.files({ ".gitignore": "*.log\n", "main/.git/info/exclude": "*.out\n", ...hits("tree") });
    expect(await found("tree")).toEqual(["a.txt", "c.log", "sub/e.txt"]);
    expect(await found("tree")).toEqual(gitFiles(at("tree")));
    expect(await place.grep({ pattern: "hit", path: "tree/sub" })).toBe("tree/sub/e.txt\n1:hit");
    expect(await place.grep({ pattern: "hit", outputMode: "files_with_matches" })).toBe("tree/a.txt\ntree/c.log\ntree/sub/e.txt");
  });

  it("where the git directory lies elsewhere", async () => {
    mkdirSync(at("work"));
    git("work", "init", "-q", "--separate-git-dir", at(".meta"));
    place.files({ ".gitignore": "*.log\n", ".meta/info/exclude": "*.out\n", ...hits("work") });
    expect(await found("work")).toEqual(["a.txt", "c.log", "sub/e.txt"]);
    expect(await found("work")).toEqual(gitFiles(at("work")));
  });

  it("where a relative path leads to the git directory, as in a submodule", async () => {
    mkdirSync(at("outer"));
    git("outer", "init", "-q");
    for (const directory of ["outer/module", "outer/.git/modules"]) mkdirSync(at(directory));
    git("outer/module", "init", "-q", "--separate-git-dir", at("outer/.git/modules/module"));
    place.files({ "outer/module/.git": "gitdir: ../.git/modules/module\n", "outer/.gitignore": "*.log\n", "outer/.git/modules/module/info/exclude": "*.out\n", ...hits("outer/module") });
    expect(await found("outer/module")).toEqual(["a.txt", "c.log", "sub/e.txt"]);
    expect(await found("outer/module")).toEqual(gitFiles(at("outer/module")));
  });
});

describe("a search goes on", () => {
  it.each(["", "gitdir: nowhere\n", "gitdir: \n", "something else\n", `gitdir: ${"x/".repeat(3000)}\n`, "gitdir: /dev\n", "gitdir: .\n"])("[T47] where .git is a file that holds %j", async (content) => {
    place.files({ ...hits("d"), "d/.git": content });
    expect(await found("d")).toEqual(["a.txt", "b.out", "c.log", "sub/d.out", "sub/e.txt"]);
  });
});

it("a byte order mark before the first rule is no part of it", async () => {
  mkdirSync(at("d"));
  git("d", "init", "-q");
  place.files(hits("d"));
  writeFileSync(at("d/.gitignore"), "\uFEFF*.out\n*.log\n");
  expect(await found("d")).toEqual(["a.txt", "sub/e.txt"]);
  expect(await found("d")).toEqual(gitFiles(at("d")));
  writeFileSync(at("d/.gitignore"), "");
  writeFileSync(at("d/.git/info/exclude"), "\uFEFF*.out\n");
  expect(await found("d")).toEqual(["a.txt", "c.log", "sub/e.txt"]);
  expect(await found("d")).toEqual(gitFiles(at("d")));
});
