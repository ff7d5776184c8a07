import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createLocalSearchBackend } from "../../../src/search/local/local-search-backend.ts";
import { arePlain } from "../../../src/search/disk/plain-disk.ts";
import { grepRequestOf, heedless } from "../../../src/testing/search-request.ts";

function mounts(...places: readonly (readonly [place: string, type: string])[]): string {
  return places.map(([place, type], index) => `${index + 20} 1 0:${index} / ${place} rw,relatime shared:${index} - ${type} source rw\n`).join("");
}

describe("a plain disk, where a short read is the end of a file", () => {
  it("is one of the file systems that the kernel reads through its cache", () => {
    expect(arePlain(mounts(["/", "ext4"], ["/proc", "proc"]), "/home/me/project")).toBe(true);
    expect(arePlain(mounts(["/", "overlay"], ["/home/me/project", "xfs"]), "/home/me/project/src")).toBe(true);
  });

  it("is none of the others: those of other programs, the kernel's own, unknown ones", () => {
    for (const type of ["fuse.sshfs", "fuseblk", "9p", "proc", "overlay", "something"]) {
      expect(arePlain(mounts(["/", "ext4"], ["/home/me/project", type]), "/home/me/project/src"), type).toBe(false);
    }
  });

  it("is not where anything else is mounted below the root, or above the same place later", () => {
    expect(arePlain(mounts(["/", "ext4"], ["/home/me/remote", "fuse.sshfs"]), "/home/me")).toBe(false);
    expect(arePlain(mounts(["/", "ext4"], ["/home/me/remote", "fuse.sshfs"]), "/home/me/remotely")).toBe(true);
    expect(arePlain(mounts(["/", "ext4"], ["/home", "ext4"], ["/home", "fuse.sshfs"]), "/home/me")).toBe(false);
    expect(arePlain(mounts(["/", "ext4"], ["/proc", "proc"]), "/")).toBe(false);
  });

  it("is not where nothing is known, and names are read as the kernel writes them", () => {
    expect(arePlain("", "/home/me")).toBe(false);
    expect(arePlain(mounts(["/", "ext4"], ["/home/my\\040disk", "fuse"]), "/home/my disk")).toBe(false);
  });
});

it.runIf(process.platform === "linux")("a file of the kernel's, which comes in short reads, is searched to its end", async () => {
  const path = "/proc/kallsyms";
  const lines = readFileSync(path, "latin1").split("\n").length - 1;
  expect(lines).toBeGreaterThan(1000);
  const backend = createLocalSearchBackend();
  try {
    const outcome = await backend.grep(grepRequestOf(path, ".", { rootKind: "file", shownPrefix: path, mode: "count" }), heedless);
    expect(outcome.matchingLines).toBe(lines);
  } finally {
    await backend.close();
  }
});
