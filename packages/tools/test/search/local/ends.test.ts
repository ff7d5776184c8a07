import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createLocalSearchBackend } from "../../../src/search/local/local-search-backend.ts";
import { searchPool } from "../../../src/search/local/search-pool.ts";
import type { SearchThread } from "../../../src/search/local/search-thread.ts";
import type { GrepRequest } from "../../../src/search/search-backend.ts";
import { grepRequestOf, heedless, searchScopeOf } from "../../../src/testing/search-request.ts";
import { unpredictable } from "../unpredictable.ts";

// Whatever happens to a search, whoever asked is answered, and the next search works.

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "fencepost-ends-"));
  mkdirSync(join(root, "long"));
  writeFileSync(join(root, "long/a.txt"), unpredictable(30_000_000));
  mkdirSync(join(root, "short"));
  writeFileSync(join(root, "short/a.txt"), "a hit\n");
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const slow = "[ab]*a[ab]{200}[^ab]";
function request(directory: string, pattern: string, extra: Partial<GrepRequest> = {}): GrepRequest {
  return grepRequestOf(join(root, directory), pattern, extra);
}

/** How a search ended, in one word or its error. */
function ending(search: Promise<{ readonly matchingLines: number }>): Promise<string> {
  return search.then(({ matchingLines }) => `${matchingLines} lines`, (error: unknown) => (error instanceof Error ? `${error.name}: ${error.message}` : String(error)));
}

const busyThreads = (): readonly SearchThread[] => searchPool.threads(2).filter((thread) => thread.busy);
const moment = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe("a backend that is closed", () => {
  it("[T47] answers the search that is running, and those that wait", async () => {
    const backend = createLocalSearchBackend();
    const running = ending(backend.grep(request("long", slow), heedless));
    const waiting = ending(backend.grep(request("short", "hit"), heedless));
    await moment(300);
    await backend.close();
    expect([await running, await waiting]).toEqual(["SearchFault: its session was closed", "SearchFault: its session was closed"]);
    expect(await ending(backend.grep(request("short", "hit"), heedless))).toBe("SearchFault: its session was closed");
  });

  it("[T47] leaves the searches of others alone", async () => {
    const [first, second] = [createLocalSearchBackend(), createLocalSearchBackend()];
    const running = ending(first.grep(request("long", slow), heedless));
    const waiting = ending(second.grep(request("short", "hit"), heedless));
    await moment(300);
    await first.close();
    expect(await running).toMatch(/was closed$/u);
    expect(await waiting).toBe("1 lines");
    await second.close();
  });
});

it("[T11] a search that waits for its turn is cancelled at once", async () => {
  const backend = createLocalSearchBackend();
  const first = new AbortController();
  const second = new AbortController();
  const running = ending(backend.grep(request("long", slow, { signal: first.signal }), heedless));
  const waiting = ending(backend.grep(request("short", "hit", { signal: second.signal }), heedless));
  await moment(100);
  second.abort(new Error("no more"));
  expect(await Promise.race([waiting, running])).toBe("Error: no more");
  first.abort(new Error("enough"));
  expect(await running).toBe("Error: enough");
  expect(await ending(backend.grep(request("short", "hit"), heedless))).toBe("1 lines");
  await backend.close();
});

it("[T23] a search that waits for its turn is over at its deadline, with nothing found", async () => {
  const backend = createLocalSearchBackend();
  const first = new AbortController();
  const running = ending(backend.grep(request("long", slow, { signal: first.signal }), heedless));
  const waiting = backend.grep(request("short", "hit", { deadline: Date.now() + 200 }), heedless);
  expect(await Promise.race([waiting, running])).toMatchObject({ matchingLines: 0, stopped: "timeout" });
  const named = backend.glob({ ...searchScopeOf(join(root, "short"), { deadline: Date.now() + 200 }), pattern: "*", maxNewest: 1 }, heedless);
  expect(await Promise.race([named, running])).toMatchObject({ total: 0, stopped: "timeout" });
  first.abort(new Error("enough"));
  expect(await running).toBe("Error: enough");
  expect(await ending(backend.grep(request("short", "hit"), heedless))).toBe("1 lines");
  await backend.close();
});

it("[T23] why nothing was found is told before the next search has its turn", async () => {
  const backend = createLocalSearchBackend();
  const stop = new AbortController();
  const empty = backend.grep(request("short", "miss", { glob: "*.md" }), heedless);
  const next = ending(backend.grep(request("long", slow, { signal: stop.signal }), heedless));
  expect(await Promise.race([empty, next])).toMatchObject({ hints: { noFileFitsGlob: true } });
  stop.abort(new Error("enough"));
  expect(await next).toBe("Error: enough");
  await backend.close();
});

it("[T11] of many searches at once, some cancelled, the others find what there is", async () => {
  const backend = createLocalSearchBackend();
  const searches = Array.from({ length: 60 }, (_, index) => {
    const controller = new AbortController();
    const ended = ending(backend.grep(request("short", "hit", { signal: controller.signal }), heedless));
    if (index % 3 === 0) controller.abort(new Error("no more"));
    else if (index % 3 === 1) setTimeout(() => controller.abort(new Error("no more")), index);
    return ended;
  });
  const endings = await Promise.all(searches);
  expect(endings.filter((_, index) => index % 3 === 0)).toEqual(Array.from({ length: 20 }, () => "Error: no more"));
  expect(endings.filter((_, index) => index % 3 === 2)).toEqual(Array.from({ length: 20 }, () => "1 lines"));
  await backend.close();
});

it("[T47] a receiver of results that throws fails its own search and no other", async () => {
  const backend = createLocalSearchBackend();
  const broken = { ...heedless, list: (): never => { throw new Error("no space left"); } };
  expect(await ending(backend.grep(request("short", "hit"), broken))).toBe("Error: no space left");
  expect(await ending(backend.grep(request("short", "hit"), heedless))).toBe("1 lines");
  await backend.close();
});

it("[T47] a thread that dies is told to whoever waits for it, and replaced", async () => {
  const backend = createLocalSearchBackend();
  for (const which of [0, -1]) {
    const running = ending(backend.grep(request("long", slow), heedless));
    while (busyThreads().length < 2) await moment(10);
    await busyThreads().at(which)?.stop();
    expect(await running).toBe("SearchFault: the search could not be finished: a search thread was ended");
    expect(await ending(backend.grep(request("short", "hit"), heedless))).toBe("1 lines");
  }
  await backend.close();
});
