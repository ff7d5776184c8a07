import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { searchPool } from "../../src/search/local/search-pool.ts";
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
  const running = place.glob({ pattern: "many/*.b" });
  const turns = new Promise<string>((resolve) => setImmediate(() => setImmediate(resolve, "the event loop")));
  expect(await Promise.race([running, turns])).toBe("the event loop");
  const text = await running;
  const ignored = Array.from({ length: entries }, (_, index) => index).filter((index) => index % 2 === 1 && /1\d$/u.test(String(index))).length;
  expect(text).toContain(`[showing the 100 most recently modified of ${entries / 2 - ignored} files; full list saved to `);
}, 60_000);

it("[T23] [T11] a directory of 43,000 entries does not outlast the time limit or a cancellation", async () => {
  const threads = searchPool.threads(2);
  const controller = new AbortController();
  const running = place.globResult({ pattern: "**/*" }, { signal: controller.signal });
  setTimeout(() => controller.abort(), 5);
  expect(await running).toMatchObject({ status: "cancelled" });
  // A thread that does not notice is ended by force.
  expect(threads.filter(({ dead }) => dead)).toEqual([]);
  await place.close();
  place = await makeSearchPlace({ searchTimeoutMs: 0 });
  expect(await place.glob({ pattern: "**/*" })).toBe("[at least 0 files; search timed out after 0s — narrow the path or pattern]");
}, 60_000);
