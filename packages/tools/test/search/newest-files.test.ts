import { mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterEach, describe, expect, it } from "vitest";
import { controlBytes } from "../../src/search/worker/control.ts";
import { GlobFiles } from "../../src/search/worker/glob-files.ts";
import type { GlobWork, Job, NewestFile } from "../../src/search/worker/messages.ts";
import { NewestFiles, newestFirst } from "../../src/search/worker/newest-files.ts";
import { Outbox } from "../../src/search/worker/outbox.ts";
import { randomSource } from "../random-source.ts";
import { makeSearchPlace, setTime, type SearchPlace } from "./search-place.ts";

const limit = 100;
const file = (index: number, modifiedMs: number): NewestFile => ({ path: `f${String(index).padStart(6, "0")}`, modifiedMs });
const random = randomSource(9);

/** In which order the times of files come, from best to worst for whoever keeps the newest. */
const orders: readonly (readonly [string, (index: number) => number])[] = [
  ["falling", (index) => -index],
  ["rising", (index) => index],
  ["all the same", () => 7],
  ["two that take turns", (index) => index % 2],
  ["without order", () => random.below(1000)],
  ["none, for every third", (index) => (index % 3 === 0 ? Number.NEGATIVE_INFINITY : index % 50)],
  ["none at all", () => Number.NEGATIVE_INFINITY],
];

describe("of any number of files", () => {
  it.each(orders)("[L-01] [L-02] [T24] the newest are kept, ties by path, where their times are %s", (_, timeOf) => {
    for (const count of [0, 1, limit - 1, limit, limit + 1, 8 * limit, 10_000]) {
      const files = Array.from({ length: count }, (__, index) => file((index * 7919) % count, timeOf(index)));
      const newest = new NewestFiles(limit);
      for (const one of files) newest.add(one);
      expect(newest.sorted()).toEqual(files.toSorted(newestFirst).slice(0, limit));
    }
  });

  it.each(orders)("[T24] [L-01] no more stay in memory than a few times those that are shown, where their times are %s", async (_, timeOf) => {
    setFlagsFromString("--expose-gc");
    const collect: unknown = runInNewContext("gc");
    const newest = new NewestFiles(limit);
    const files: WeakRef<NewestFile>[] = [];
    for (let index = 0; index < 20_000; index += 1) {
      const one = file(index, timeOf(index));
      files.push(new WeakRef(one));
      newest.add(one);
    }
    // A weak reference holds on until its turn of the event loop is over.
    await turn();
    if (typeof collect === "function") collect();
    expect(files.filter((one) => one.deref() !== undefined).length).toBeLessThanOrEqual(8 * limit);
    expect(newest.sorted()).toHaveLength(limit);
  });
});

describe("on the disk", () => {
  let root: string;
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  it("[L-01] a file without a time, because it vanished meanwhile, comes last and is counted", () => {
    root = realpathSync(mkdtempSync(join(tmpdir(), "fencepost-newest-")));
    for (const [name, seconds] of [["old", 1], ["ancient", 0], ["new", 9]] as const) {
      writeFileSync(join(root, name), "");
      utimesSync(join(root, name), seconds, seconds);
    }
    const control = new SharedArrayBuffer(controlBytes);
    const work: GlobWork = { kind: "glob", pattern: "*", maxNewest: limit };
    const job: Job = { root, rootKind: "directory", shownPrefix: "", ignoreBoundary: root, excludedPaths: [], skippedDirectories: [], includeHidden: false, maxFiles: 9, maxBytes: 9, maxFileBytes: 9, deadline: Number.MAX_SAFE_INTEGER, control, work };
    const files = new GlobFiles(job, work, new Outbox(new Int32Array(control), () => undefined, () => undefined));
    for (const name of ["gone-a", "old", "gone-b", "ancient", "new"]) files.file(name);
    expect(files.newest.map(({ path }) => path)).toEqual(["new", "old", "ancient", "gone-a", "gone-b"]);
    expect(files.counts.found).toBe(5);
  });
});

describe("names that are long", () => {
  let place: SearchPlace;
  afterEach(() => place.close());

  /** Paths of 600 bytes, the last of them the newest. */
  async function write(count: number): Promise<readonly string[]> {
    place = await makeSearchPlace();
    const names = Array.from({ length: count }, (_, index) => `${"d".repeat(250)}/${"é".repeat(120)}/${"x".repeat(104)}${String(index).padStart(4, "0")}`);
    place.files(Object.fromEntries(names.map((name) => [name, ""])));
    names.forEach((name, index) => setTime(place, name, 1_700_000_000 + index));
    return names;
  }

  it.each([[60, 60], [150, 150]])("[T24] of %i files as many of the newest are shown, whole, as fit a result, and all are in the full list", async (count, total) => {
    const names = await write(count);
    const result = await place.globResult({ pattern: "**/*" });
    const text = result.content.map((part) => (part.type === "text" ? part.text : "")).join("");
    const lines = text.split("\n");
    const fitting = Math.floor(31_488 / 601);
    expect(lines.slice(0, -1)).toEqual(names.toReversed().slice(0, fitting));
    expect(lines.at(-1)).toMatch(new RegExp(`^\\[showing the ${fitting} most recently modified of ${total} files; full list saved to \\S+\\]$`, "u"));
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(32_000);
    expect(result.data).toMatchObject({ total, files: { length: fitting } });
  });
});
