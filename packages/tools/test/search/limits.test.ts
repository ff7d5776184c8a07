import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, expect, it } from "vitest";
import { createLocalSearchBackend } from "../../src/search/local/local-search-backend.ts";
import { searchPool } from "../../src/search/local/search-pool.ts";
import type { SearchThread } from "../../src/search/local/search-thread.ts";
import { maxBytesOnTheWay } from "../../src/search/worker/control.ts";
import { makeSearchPlace, type SearchPlace } from "./search-place.ts";
import { grepRequestOf, heedless } from "../../src/testing/search-request.ts";
import { unpredictable } from "./unpredictable.ts";

let place: SearchPlace;
afterEach(() => place.close());

/** Of these threads those that did not notice by themselves that their time was up, and were ended by force. */
const ended = (threads: readonly SearchThread[]): readonly SearchThread[] => threads.filter(({ dead }) => dead);

it("[T23] a search past its time says so and returns what it has", async () => {
  place = await makeSearchPlace({ searchTimeoutMs: 3000 });
  place.files({ "a.txt": "abcd hit\n", "b.txt": unpredictable(40_000_000) });
  const threads = searchPool.threads(2);
  const text = await place.grep({ pattern: "hit|[ab]*a[ab]{200}[^ab]" });
  expect(text).toBe("a.txt\n1:abcd hit\n[at least 1 matching lines in 1 files; search timed out after 3s — narrow the path or glob]");
  expect(ended(threads)).toEqual([]);
});

it("[T23] a search that timed out with nothing found says it in the same form", async () => {
  place = await makeSearchPlace({ searchTimeoutMs: 0 });
  place.files({ "a.txt": "hit\n" });
  expect(await place.grep({ pattern: "hit" })).toBe("[at least 0 matching lines in 0 files; search timed out after 0s — narrow the path or glob]");
  expect(await place.glob({ pattern: "*" })).toBe("[at least 0 files; search timed out after 0s — narrow the path or pattern]");
});

it("[T11] a cancelled search ends inside one line of one file", async () => {
  place = await makeSearchPlace();
  place.files({ "b.txt": unpredictable(40_000_000) });
  const threads = searchPool.threads(2);
  const controller = new AbortController();
  const running = place.grepResult({ pattern: "[ab]*a[ab]{200}[^ab]" }, { signal: controller.signal });
  setTimeout(() => controller.abort(), 200);
  expect(await running).toMatchObject({ status: "cancelled", error: { code: "cancelled" } });
  expect(ended(threads)).toEqual([]);
  place.files({ "c.txt": "ok\n" });
  expect(await place.grep({ pattern: "ok", path: "c.txt" })).toBe("c.txt\n1:ok");
});

it("a scan budget ends the search and says so", async () => {
  place = await makeSearchPlace({ scanBudget: { maxFiles: 3 } });
  place.files(Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`f${index}.txt`, "hit\n"])));
  expect(await place.grep({ pattern: "hit", outputMode: "files_with_matches" })).toBe("f0.txt\nf1.txt\nf2.txt\n[at least 3 files with matches; the scan budget is used up — narrow the path or glob]");
  expect(await place.glob({ pattern: "*" })).toMatch(/\[at least 3 files; the scan budget is used up — narrow the path or pattern\]$/u);
});

it("files above the budget's size are skipped and counted", async () => {
  place = await makeSearchPlace({ scanBudget: { maxFileBytes: 1000 } });
  place.files({ "a.txt": "hit\n".repeat(1000) });
  expect(await place.grep({ pattern: "miss" })).toBe("No matches for /miss/ in . (1 file skipped because it or one of its lines is too large)");
});

it("directories of extraSkipDirs are not entered, unless named", async () => {
  place = await makeSearchPlace({ extraSkipDirs: ["vendor"] });
  place.files({ "vendor/a.txt": "hit\n", "b.txt": "hit\n" });
  expect(await place.grep({ pattern: "hit" })).toBe("b.txt\n1:hit");
  expect(await place.glob({ pattern: "**/*.txt" })).toBe("b.txt");
  expect(await place.grep({ pattern: "hit", path: "vendor" })).toBe("vendor/a.txt\n1:hit");
});

it("[T22] memory does not grow with what is found", async () => {
  place = await makeSearchPlace();
  const peaks: number[] = [];
  for (const files of [12, 12, 48]) {
    writeHits(place.workspace, files);
    peaks.push(await peakBytes(async () => {
      expect(await place.grep({ pattern: "hit" })).toMatch(new RegExp(`\\[showing 250 of ${files * 150_000} matching lines in ${files} files; full list saved to `, "u"));
    }));
  }
  const [, once = 0, fourfold = Infinity] = peaks;
  expect((fourfold - once) / 1e6).toBeLessThan(40);
}, 60_000);

/** The most memory the process has while `work` runs. */
async function peakBytes(work: () => Promise<void>): Promise<number> {
  let peak = 0;
  const look = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 2);
  await work();
  clearInterval(look);
  return peak;
}

it("[T22] the event loop is given little at a time, and turns in between", async () => {
  place = await makeSearchPlace();
  writeHits(place.workspace, 6);
  const search = createLocalSearchBackend();
  let inThisTurn = 0;
  let most = 0;
  let total = 0;
  const take = (bytes: number): void => {
    if (inThisTurn === 0) setImmediate(() => (inThisTurn = 0));
    inThisTurn += bytes;
    total += bytes;
    most = Math.max(most, inThisTurn);
  };
  const pieces: number[] = [];
  await search.grep(
    grepRequestOf(place.workspace, "hit"),
    {
      ...heedless,
      list: ({ length }) => {
        pieces.push(length);
        take(length);
      },
    },
  );
  await search.close();
  expect(Math.max(...pieces)).toBeLessThanOrEqual(128 * 1024);
  expect(most).toBeLessThanOrEqual(4 * maxBytesOnTheWay);
  expect(total).toBeGreaterThan(3 * maxBytesOnTheWay);
});

it("[T22] what runs on the main thread can neither read files nor match patterns", () => {
  const source = fileURLToPath(new URL("../../src/search/", import.meta.url));
  const seen = new Set<string>();
  const visit = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    for (const [, imported = ""] of readFileSync(file, "utf8").matchAll(/^import (?!type\b).*? from "([^"]+)";$/gmu)) {
      expect({ file, imported }).not.toMatchObject({ imported: expect.stringMatching(/^node:(?:fs|child_process)/u) });
      if (imported.startsWith(".")) visit(resolve(dirname(file), imported));
    }
  };
  visit(join(source, "local/local-search-backend.ts"));
  const names = [...seen].map((file) => file.slice(source.length));
  expect(names).toContain("local/run-search.ts");
  expect(names.filter((name) => /worker\/(?:walk|grep-files|file-search|run-job)|automata/u.test(name))).toEqual([]);
});

function writeHits(workspace: string, files: number): void {
  mkdirSync(join(workspace, "many"), { recursive: true });
  for (let index = 0; index < files; index += 1) writeFileSync(join(workspace, "many", `f${index}.txt`), "some line with a hit in it\n".repeat(150_000));
}
