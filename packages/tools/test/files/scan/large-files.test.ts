import { execFileSync } from "node:child_process";
import { closeSync, ftruncateSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { bundleProcess } from "../bundle-process.ts";
import { makeFilePlace, type FilePlace } from "../file-session.ts";

const deep = process.env["FENCEPOST_DEEP"] === "1";

/** The whole process, Node and all tools loaded. About 60 MB of it are there before anything is read. */
const mostPeakBytes = 90 * 1024 * 1024;

const lineBytes = 100;
const megabyte = 1_000_000;

let place: FilePlace;
let bundle: string;
let script: string;

beforeAll(async () => {
  place = makeFilePlace();
  bundle = mkdtempSync(join(tmpdir(), "fencepost-reader-"));
  script = await bundleProcess("reader-process", bundle);
});

afterAll(() => {
  place.remove();
  rmSync(bundle, { recursive: true, force: true });
});

/** Reads in a process that does nothing else. */
function read(path: string, offset = 1, limit = 2000): { readonly text: string; readonly peakBytes: number } {
  return JSON.parse(execFileSync(process.execPath, [script, place.root, path, `${offset}`, `${limit}`], { encoding: "utf8", maxBuffer: 1024 * 1024 }));
}

function makeLines(name: string, megabytes: number): number {
  const file = openSync(place.at(name), "w");
  const block = `${"x".repeat(lineBytes - 1)}\n`.repeat(megabyte / lineBytes);
  for (let written = 0; written < megabytes; written++) writeSync(file, block);
  closeSync(file);
  return (megabytes * megabyte) / lineBytes;
}

it(`R-17 the last lines of a file of ${deep ? "1 GB and 10 million" : "100 MB and 1 million"} lines, within 90 MB`, () => {
  const lines = makeLines("large.txt", deep ? 1000 : 100);
  const { text, peakBytes } = read("large.txt", lines - 1);
  expect(text).toBe([lines - 1, lines].map((number) => `${number}\t${"x".repeat(lineBytes - 1)}`).join("\n"));
  expect(peakBytes).toBeLessThan(mostPeakBytes);
  expect(read("large.txt", 1, 2).text.split("\n").at(-1)).toBe(`[showing lines 1-2 of ${lines}. Continue with offset=3]`);
}, 120_000);

it("R-18 the start of a sparse file of 100 GB, within 90 MB", () => {
  const file = openSync(place.at("sparse.txt"), "w");
  writeSync(file, "1\n2\n3\n");
  ftruncateSync(file, 100 * 1024 ** 3);
  closeSync(file);
  const { text, peakBytes } = read("sparse.txt", 1, 2);
  expect(text).toBe("1\t1\n2\t2\n[showing lines 1-2; the file is larger than 4 GiB, so it was not read to its end and cannot be edited. Continue with offset=3]");
  expect(peakBytes).toBeLessThan(mostPeakBytes);
});

it("a line of 5 MB, and one that is all of a file, within 90 MB", () => {
  place.put("long.txt", `${"q".repeat(5 * 1024 * 1024)}\nend\n`);
  const long = read("long.txt");
  expect(long.text).toBe(`1\t${"q".repeat(2000)}... (line truncated to 2000 chars)\n2\tend`);
  expect(long.peakBytes).toBeLessThan(mostPeakBytes);
  const file = openSync(place.at("endless.txt"), "w");
  const block = "q".repeat(10 * megabyte);
  for (let part = 0; part < (deep ? 50 : 10); part++) writeSync(file, block);
  closeSync(file);
  const endless = read("endless.txt");
  expect(endless.text).toBe(`1\t${"q".repeat(2000)}... (line truncated to 2000 chars)`);
  expect(endless.peakBytes).toBeLessThan(mostPeakBytes);
});

it("[T47] a FIFO without a writer is refused, and files of /proc are read whatever their size says", () => {
  execFileSync("mkfifo", [place.at("pipe")]);
  expect(read("pipe").text).toContain("pipe is a FIFO (named pipe), not a regular file");
  if (process.platform !== "linux") return;
  expect(read("/proc/self/status").text).toMatch(/^1\tName:/);
  expect(read("/proc/cpuinfo").text).toContain("processor");
});
