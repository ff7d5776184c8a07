import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { asNobody, makePlaceForNobody } from "./as-nobody.ts";
import type { SearchPlace } from "./search-place.ts";
import { grepWork, runHere, type HereChoices } from "./worker/run-here.ts";

// What is no file, no longer one, or closed to this user: grep and glob answer at once.

let place: SearchPlace;
beforeEach(async () => {
  place = await makePlaceForNobody();
});
afterEach(() => place.close());

const at = (path: string): string => join(place.workspace, path);

/** Does something when the directory was read, and nothing opened yet. */
const afterWalk = (work: () => void): HereChoices => ({ atClock: (looked) => void (looked === 2 && work()) });

describe("what changes between the walk and the opening of a file", () => {
  beforeEach(() => place.files({ "a.txt": "hit\n", "b.txt": "hit\n", "c.txt": "hit\n" }));

  it("[T47] a file that vanishes is as if it had never been there", () => {
    const { report, files } = runHere(place.workspace, grepWork, afterWalk(() => unlinkSync(at("b.txt"))));
    expect(files.map(({ path }) => path)).toEqual(["a.txt", "c.txt"]);
    expect(report).toMatchObject({ found: 2, filesSearched: 2, unreadable: 0 });
  });

  it("[T47] glob still lists it, without a time and so at the end", () => {
    const { report, list } = runHere(place.workspace, { kind: "glob", pattern: "*", maxNewest: 9 }, afterWalk(() => unlinkSync(at("b.txt"))));
    expect(list).toBe("a.txt\nb.txt\nc.txt\n");
    expect(report.newest.at(-1)).toEqual({ path: "b.txt", modifiedMs: Number.NEGATIVE_INFINITY });
  });

  it("[T47] [P7] a link in its place is neither followed nor searched", () => {
    writeFileSync(join(place.outside, "secret"), "hit\n");
    const swapped = afterWalk(() => {
      unlinkSync(at("a.txt"));
      symlinkSync(join(place.outside, "secret"), at("a.txt"));
    });
    const { report, files } = runHere(place.workspace, grepWork, swapped);
    expect(files.map(({ path }) => path)).toEqual(["b.txt", "c.txt"]);
    expect(report).toMatchObject({ found: 2, filesSearched: 2, unreadable: 0 });
  });

  it("[G-33] [T47] a FIFO in its place is not waited for", () => {
    const swapped = afterWalk(() => {
      unlinkSync(at("b.txt"));
      execFileSync("mkfifo", [at("b.txt")]);
    });
    const { files } = runHere(place.workspace, grepWork, swapped);
    expect(files.map(({ path }) => path)).toEqual(["a.txt", "c.txt"]);
  });

  it("[T47] a directory in its place is counted as unreadable", () => {
    const swapped = afterWalk(() => {
      unlinkSync(at("b.txt"));
      mkdirSync(at("b.txt"));
    });
    expect(runHere(place.workspace, grepWork, swapped).report).toMatchObject({ found: 2, unreadable: 1 });
  });
});

describe("a place that is named and that this user may not look into", () => {
  beforeEach(() => place.files({ "closed/f.txt": "hit\n", "open.txt": "x\n" }));

  it("[G-15] [T47] is a search that found nothing, and says why, as a directory", async () => {
    await asNobody(place, ["closed"], async () => {
      expect(await place.grep({ pattern: "hit", path: "closed" })).toBe("No matches for /hit/ in closed (1 path unreadable)");
      expect(await place.grep({ pattern: "hit", path: "closed", glob: "*.txt" })).toMatch(/^No matches for \/hit\/ in closed \(.*1 path unreadable\)$/u);
      expect(await place.glob({ pattern: "**/*", path: "closed" })).toBe("No files match **/* in closed (1 path unreadable)");
    });
  });

  it("[T47] is refused with a reason where a file or a directory in it is named", async () => {
    await asNobody(place, ["closed"], async () => {
      expect(await place.grepResult({ pattern: "hit", path: "closed/f.txt" })).toMatchObject({ status: "failed" });
      expect(await place.grep({ pattern: "hit", path: "closed/f.txt" })).toMatch(/permission|does not let this user/u);
      expect(await place.glob({ pattern: "*", path: "closed/d" })).toMatch(/permission|does not let this user/u);
    });
  });

  it("[G-15] [T47] is a search that found nothing as a file", async () => {
    place.files({ "locked.txt": "hit\n" });
    await asNobody(place, ["locked.txt"], async () => {
      expect(await place.grep({ pattern: "hit", path: "locked.txt" })).toBe("No matches for /hit/ in locked.txt (1 path unreadable)");
    });
  });
});

describe("what is no file", () => {
  it("[G-33] [T47] in a folder a socket, a FIFO and a device are neither opened, nor listed, nor counted", async () => {
    const server = createServer().listen(at("socket.txt"));
    await new Promise((resolve) => server.once("listening", resolve));
    execFileSync("mkfifo", [at("fifo.txt")]);
    if (process.geteuid?.() === 0) execFileSync("mknod", [at("device.txt"), "c", "1", "5"]);
    place.files({ "z.txt": "hit\n" });
    try {
      for (const input of [{ pattern: "hit" }, { pattern: "hit", glob: "*.txt" }]) expect(await place.grep(input)).toBe("z.txt\n1:hit");
      expect(await place.glob({ pattern: "*.txt" })).toBe("z.txt");
      expect(await place.grep({ pattern: "hit", path: "socket.txt" })).toBe("socket.txt is a socket, not a file or a directory, and cannot be searched. Name a file or a directory.");
      expect(await place.glob({ pattern: "*", path: "socket.txt" })).toBe("socket.txt is a socket, not a file or a directory, and cannot be searched. Name a file or a directory.");
    } finally {
      server.close();
    }
  });
});
