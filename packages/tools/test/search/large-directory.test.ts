import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { makeSearchPlace, type SearchPlace } from "./search-place.ts";

const entries = 43_000;

let place: SearchPlace;
beforeEach(async () => {
  place = await makeSearchPlace();
  mkdirSync(join(place.workspace, "many"));
  for (let index = 0; index < entries; index += 1) writeFileSync(join(place.workspace, "many", `f${index}.${index % 2 === 0 ? "a" : "b"}`), "");
}, 120_000);
afterEach(() => place.close());

it("[T24] counts a directory of 43,000 entries exactly, while the event loop goes on", async () => {
  place.files({ ".gitignore": "*1?.b\n" });
  await place.glob({ pattern: "warm" });
  let turns = 0;
  const ticker = setInterval(() => (turns += 1), 1);
  const text = await place.glob({ pattern: "many/*.b" });
  clearInterval(ticker);
  const ignored = Array.from({ length: entries }, (_, index) => index).filter((index) => index % 2 === 1 && /1\d$/u.test(String(index))).length;
  expect(text).toContain(`[showing the 100 most recently modified of ${entries / 2 - ignored} files; full list saved to `);
  expect(turns).toBeGreaterThan(2);
}, 60_000);

it("[T23] [T11] a directory of 43,000 entries does not outlast the time limit or a cancellation", async () => {
  const controller = new AbortController();
  const running = place.globResult({ pattern: "**/*" }, { signal: controller.signal });
  setTimeout(() => controller.abort(), 5);
  expect(await running).toMatchObject({ status: "cancelled" });
  await place.close();
  place = await makeSearchPlace({ searchTimeoutMs: 0 });
  expect(await place.glob({ pattern: "**/*" })).toBe("[at least 0 files; search timed out after 0s — narrow the path or pattern]");
}, 60_000);
