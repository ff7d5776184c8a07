import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeSearchPlace, type SearchPlace } from "./search-place.ts";

// A search that finds nothing says how many hidden files it passed over, and how to search them.

let place: SearchPlace;
beforeEach(async () => {
  place = await makeSearchPlace();
});
afterEach(() => place.close());

describe("[T22] grep that found nothing", () => {
  it("says how many hidden files it passed over, at any depth", async () => {
    place.files({ "a.txt": "x\n", ".env": "hit\n", "src/.config/deep/b.txt": "hit\n", "src/.config/c.txt": "x\n" });
    expect(await place.grep({ pattern: "hit" })).toBe("No matches for /hit/ in . (3 hidden files skipped: set `includeHidden`)");
    expect(await place.grep({ pattern: "hit", path: "src" })).toBe("No matches for /hit/ in src (2 hidden files skipped: set `includeHidden`)");
    expect(await place.grep({ pattern: "hit", path: "src/.config" })).toBe("src/.config/deep/b.txt\n1:hit");
  });

  it("says nothing of them where it searched them, or found something", async () => {
    place.files({ "a.txt": "x\n", ".env": "y\n" });
    expect(await place.grep({ pattern: "hit", includeHidden: true })).toBe("No matches for /hit/ in .");
    expect(await place.grep({ pattern: "x" })).toBe("a.txt\n1:x");
    expect(await place.grep({ pattern: "hit", path: "a.txt" })).toBe("No matches for /hit/ in a.txt");
  });

  it("counts only what would be searched: nothing ignored, skipped, temporary or of git, and no ignore files", async () => {
    await place.close();
    place = await makeSearchPlace({ extraSkipDirs: [".cache", "skipped"] });
    place.files({ ".gitignore": ".venv/\n.*.log\n", ".ignore": "", ".hit": "hit\n", ".venv/lib": "hit\n", ".x.log": "hit\n", ".cache/a": "hit\n", ".ci/.git": "gitdir: ../x\n", ".ci/a.log": "hit\n", ".fp-1-2-0123abcd.tmp": "hit\n", ".git/config": "hit\n", "sub/.git/HEAD": "hit\n" });
    place.files({ "skipped/a.txt": "hit\n" });
    expect(await place.grep({ pattern: "hit", glob: "skipped/*" })).toBe("No matches for /hit/ in .");
    expect(await place.grep({ pattern: "hit" })).toBe("No matches for /hit/ in . (2 hidden files skipped: set `includeHidden`)");
  });

  it("with a glob counts those that fit it, and does not say that none does", async () => {
    place.files({ "a.txt": "x\n", ".ci/a.yml": "hit\n", ".ci/.b.yml": "hit\n", ".ci/c.txt": "hit\n", ".gitignore": "d.yml\n", ".ci/d.yml": "hit\n" });
    expect(await place.grep({ pattern: "hit", glob: "*.yml" })).toBe("No matches for /hit/ in . (2 hidden files skipped: set `includeHidden`)");
    expect(await place.grep({ pattern: "hit", glob: ".ci/*.yml", includeHidden: true })).toContain(".ci/.b.yml");
    expect(await place.grep({ pattern: "miss", glob: ".ci/*.yml" })).toBe("No matches for /miss/ in . (1 file skipped by ignore rules, 1 hidden file skipped: set `includeHidden`)");
  });

  it("[P7] tells of no credential path", async () => {
    for (const path of [".ssh/id", ".aws/credentials", ".config/gh/hosts.yml", ".config/other/x"]) {
      mkdirSync(join(place.home, path, ".."), { recursive: true });
      writeFileSync(join(place.home, path), "x\n");
    }
    mkdirSync(join(place.home, "empty"), { recursive: true });
    const text = await place.grep({ pattern: "hit", path: place.home, glob: "{id,credentials,hosts.yml}" });
    expect(text).toBe(`No matches for /hit/ in ${place.home} (no file matches the glob "{id,credentials,hosts.yml}", which is relative to \`path\`)`);
    const bare = await place.grep({ pattern: "hit", path: join(place.home, ".config") });
    expect(bare).toBe(`No matches for /hit/ in ${place.home}/.config`);
    expect(await place.grep({ pattern: "hit", path: place.home, glob: "x" })).toMatch(/\(1 hidden file skipped: set `includeHidden`\)$/u);
  });

  it("tells of nothing below .git, even where the glob names that", async () => {
    place.files({ ".git/HEAD": "x\n", ".git/.hidden": "x\n", "a.txt": "x\n" });
    for (const glob of [".git/**", "{.git/HEAD,**}", "**"]) expect(await place.grep({ pattern: "hit", glob }), glob).toBe("No matches for /hit/ in .");
  });
});

describe("[T24] glob that found nothing", () => {
  it("says how many hidden files would match", async () => {
    place.files({ "a.txt": "", ".ci/a.yml": "", ".b.yml": "" });
    expect(await place.glob({ pattern: "**/*.yml" })).toBe("No files match **/*.yml in . (2 hidden files match: set `includeHidden`)");
    expect(await place.glob({ pattern: "*.yml" })).toBe("No files match *.yml in . (1 hidden file matches: set `includeHidden`)");
    expect(await place.glob({ pattern: "**/*.json", includeHidden: true })).toBe("No files match **/*.json in .");
  });
});

describe("what is looked into for that is bounded", () => {
  it("by directories", async () => {
    for (let index = 0; index < 1010; index += 1) place.files({ [`.d${index}/a`]: "x\n" });
    expect(await place.grep({ pattern: "hit" })).toBe("No matches for /hit/ in . (at least 1000 hidden files skipped: set `includeHidden`)");
  }, 30_000);

  it("by entries, and hidden ones take nothing from what else is counted", async () => {
    place.files({ "src/a.yml": "x\n", "src/.gitignore": "*.yml\n" });
    mkdirSync(join(place.workspace, ".cache/more"), { recursive: true });
    execFileSync("/bin/sh", ["-c", "seq 50010 | sed 's/$/.yml/' | xargs touch; touch more/late.yml"], { cwd: join(place.workspace, ".cache") });
    expect(await place.glob({ pattern: "**/*.yml" })).toMatch(/^No files match \*\*\/\*\.yml in \. \(1 file skipped by ignore rules, at least \d{5} hidden files match: set `includeHidden`\)$/u);
    expect(await place.grep({ pattern: "hit" })).toMatch(/^No matches for \/hit\/ in \. \(1 file skipped by ignore rules, at least \d{5} hidden files skipped: set `includeHidden`\)$/u);
  }, 60_000);
});
