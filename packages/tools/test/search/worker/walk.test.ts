import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Stop } from "../../../src/search/worker/stop.ts";
import { walk, type WalkOptions, type WalkVisitor } from "../../../src/search/worker/walk.ts";

let base: string;
let root: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "fencepost-walk-")));
  root = join(base, "root");
  mkdirSync(root);
});
// Not rmSync: it overflows the stack on the deep tree that the walk gets through.
afterEach(() => execFileSync("rm", ["-rf", base]));

function write(...paths: readonly string[]): void {
  for (const path of paths) {
    mkdirSync(dirname(join(base, path)), { recursive: true });
    writeFileSync(join(base, path), "x\n");
  }
}

interface Seen {
  readonly files: readonly string[];
  readonly unreadable: readonly string[];
}

function seen(options: Partial<WalkOptions> = {}, events: Partial<WalkVisitor> = {}): Seen {
  const files: string[] = [];
  const unreadable: string[] = [];
  const all = { root, ignoreBoundary: root, onPlainDisk: false, excludedPaths: new Set<string>(), skippedDirectories: new Set<string>(), includeHidden: false, glob: undefined, visitsIgnored: false };
  walk({ ...all, ...options }, { file: (path) => files.push(path), directory: () => undefined, entry: () => undefined, unreadable: (path) => unreadable.push(path), ignored: () => undefined, hidden: () => undefined, ...events });
  return { files, unreadable };
}

/** Puts a link to `target` in the place of a directory, at the moment the walk is about to read `at`. */
function swapping(at: string, directory: string, target: string): Partial<WalkVisitor> {
  return {
    directory: (path) => {
      if (path !== at) return;
      renameSync(join(root, directory), join(base, "moved"));
      symlinkSync(target, join(root, directory));
    },
  };
}

describe("the order of a walk", () => {
  it("is depth first, by code unit, files and directories among each other", () => {
    write("root/b.txt", "root/b/z", "root/a/y/1", "root/a/x", "root/B", "root/b-/q", "root/é", "root/z");
    expect(seen().files).toEqual(["B", "a/x", "a/y/1", "b/z", "b-/q", "b.txt", "z", "é"]);
  });

  it("returns to the right directory after deep, empty and unreadable ones", () => {
    write("root/a/b/c/d/1", "root/a/b/2", "root/a/3", "root/aa/4", "root/ab", "root/b/5");
    mkdirSync(join(root, "a/b/empty"));
    mkdirSync(join(root, "a/empty"));
    expect(seen().files).toEqual(["a/3", "a/b/2", "a/b/c/d/1", "aa/4", "ab", "b/5"]);
  });

  it("takes a root whose name holds what is a separator elsewhere, a dot, or brackets", () => {
    for (const name of ["a\\b", ".x", "[a]", "a b"]) {
      write(`${name}/c/d`);
      expect(seen({ root: join(base, name), ignoreBoundary: join(base, name) }).files).toEqual(["c/d"]);
    }
  });

  it("goes two thousand directories deep", () => {
    const deep = "d/".repeat(1900);
    mkdirSync(join(root, deep), { recursive: true });
    expect(seen().files).toEqual([]);
    write(`root/${deep}f`);
    expect(seen().files).toEqual([`${deep}f`]);
  });
});

describe.runIf(process.platform === "linux")("a directory swapped for a link while the walk is under way", () => {
  it("[P7] tells no name of what the link leads to", () => {
    write("root/a/1", "root/d/inner", "root/z", "secret/id");
    expect(seen({}, swapping("d/", "d", join(base, "secret")))).toEqual({ files: ["a/1", "z"], unreadable: [] });
  });

  it("[P7] tells none either where a directory further up was swapped", () => {
    write("root/d/e/f/inner", "root/z", "secret/e/f/id");
    expect(seen({}, swapping("d/e/f/", "d", join(base, "secret")))).toEqual({ files: ["z"], unreadable: [] });
  });

  it("[P7] nor where the root itself was", () => {
    write("root/a", "secret/id");
    expect(seen({}, swapping("", "", join(base, "secret"))).files).toEqual([]);
  });
});

describe("where a repository says its git directory is", () => {
  const pointers: readonly { readonly name: string; readonly make: () => void }[] = [
    { name: "by .git", make: () => writeFileSync(join(root, ".git"), `gitdir: ${join(base, "secret")}\n`) },
    { name: "by .git, on a way that leaves it again", make: () => writeFileSync(join(root, ".git"), "gitdir: ../secret/info/..\n") },
    {
      name: "by commondir",
      make: () => {
        write("pointer/HEAD");
        writeFileSync(join(base, "pointer/commondir"), "../secret\n");
        writeFileSync(join(root, ".git"), `gitdir: ${join(base, "pointer")}\n`);
      },
    },
    {
      name: "through a link",
      make: () => {
        symlinkSync(join(base, "secret"), join(base, "innocent"));
        writeFileSync(join(root, ".git"), `gitdir: ${join(base, "innocent")}\n`);
      },
    },
    {
      name: "with a link inside",
      make: () => {
        write("root/.git/HEAD");
        symlinkSync(join(base, "secret/info"), join(root, ".git/info"));
      },
    },
  ];

  it.each(pointers)("[P7] nothing is read below an excluded path: $name", ({ make }) => {
    write("root/kept", "secret/HEAD", "secret/info/exclude");
    writeFileSync(join(base, "secret/info/exclude"), "kept\n");
    make();
    expect(seen().files).toEqual([]);
    expect(seen({ excludedPaths: new Set([join(base, "secret")]) }).files).toEqual(["kept"]);
    expect(seen({ excludedPaths: new Set([join(base, "secret/info/exclude")]) }).files).toEqual(["kept"]);
    expect(seen({ excludedPaths: new Set([join(base, "secre"), join(base, "other")]) }).files).toEqual([]);
  });
});

describe("the end of a walk", () => {
  it("[T11] comes in the middle of one directory, whatever its size", () => {
    write(...Array.from({ length: 50 }, (_, index) => `root/f${index}`));
    let entries = 0;
    const files: string[] = [];
    const ending = {
      file: (path: string) => void files.push(path),
      entry: () => {
        entries += 1;
        if (entries > 20) throw new Stop("cancelled");
      },
    };
    expect(() => seen({}, ending)).toThrow(Stop);
    expect(files).toHaveLength(20);
  });

  it("[T47] a directory that vanishes meanwhile is empty, not unreadable", () => {
    write("root/a/1", "root/b/2");
    const vanishing = { directory: (path: string) => void (path === "a/" && rmSync(join(root, "a"), { recursive: true })) };
    expect(seen({}, vanishing)).toEqual({ files: ["b/2"], unreadable: [] });
  });
});
