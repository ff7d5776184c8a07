import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { randomSource } from "../random-source.ts";
import { ourLines } from "./list-files.ts";

// Batches are shared with whoever has nothing to do: that must show in nothing but the time.

let root: string;
const expected: string[] = [];

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "fencepost-shared-"));
  const random = randomSource(3);
  for (let index = 0; index < 400; index += 1) {
    // Digits only, so that the order of names is the walk's; a few large files, so that threads end at different times.
    const path = `${String(index % 7)}/${String(index).padStart(4, "0")}`;
    const lines = index % 50 === 49 ? 60_000 : random.below(40);
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), Array.from({ length: lines }, (_, line) => (line % 97 === 0 ? "a hit\n" : "some other line of text\n")).join(""));
    for (let line = 0; line < lines; line += 97) expected.push(`${path}:${line + 1}:a hit`);
  }
  expected.sort((left, right) => (pathOf(left) < pathOf(right) ? -1 : pathOf(left) > pathOf(right) ? 1 : numberOf(left) - numberOf(right)));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const pathOf = (line: string): string => line.slice(0, line.indexOf(":"));
const numberOf = (line: string): number => Number(line.split(":")[1]);

it("finds every line once and in walk order, however the threads share the work", async () => {
  for (let round = 0; round < 10; round += 1) expect(await ourLines(root, "hit")).toEqual(expected);
  expect(await ourLines(root, "h[i]t")).toEqual(expected);
  expect(await ourLines(root, "nothing")).toEqual([]);
});
