import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { countNewlines } from "../../src/search/worker/lines.ts";
import { randomSource } from "../random-source.ts";
import { ourLines } from "./list-files.ts";

// Lines are counted only where something matches: also those of pieces that were read, and let go, long before.

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "fencepost-numbers-"));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

it("[T22] numbers lines rightly however late in a large file the first one matches", async () => {
  const lines = Array.from({ length: 100_000 }, (_, index) => ([60_000, 60_001, 99_999].includes(index) ? "a hit" : "some other line of text".slice(index % 20)));
  for (const [name, start] of [["plain", ""], ["marked", "\uFEFF"]] as const) writeFileSync(join(root, name), start + lines.join("\n"));
  const expected = [60_001, 60_002, 100_000].map((number) => `${number}:a hit`);
  expect(await ourLines(root, "hit")).toEqual(["marked", "plain"].flatMap((name) => expected.map((line) => `${name}:${line}`)));
  expect(await ourLines(root, "hit|never", { multiline: true })).toEqual(["marked", "plain"].flatMap((name) => expected.map((line) => `${name}:${line}`)));
});

it("counts newlines from anywhere to anywhere", () => {
  const random = randomSource(7);
  const bytes = Buffer.from(Array.from({ length: 5000 }, () => random.of([10, 10, 11, 0x8a, 0, 255, 9, 13])));
  for (let round = 0; round < 500; round += 1) {
    const text = bytes.subarray(random.below(9));
    const from = random.below(text.length);
    const to = from + random.below(text.length - from + 1);
    expect(countNewlines(text, from, to)).toBe(text.subarray(from, to).filter((byte) => byte === 10).length);
  }
});
