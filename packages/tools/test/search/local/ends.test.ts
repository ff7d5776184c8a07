import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createLocalSearchBackend } from "../../../src/search/local/local-search-backend.ts";
import { searchPool } from "../../../src/search/local/search-pool.ts";
import type { SearchThread } from "../../../src/search/local/search-thread.ts";
import type { GrepEvents, GrepRequest } from "../../../src/search/search-backend.ts";

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

/** On this no automaton comes to an end of its states. */
function unpredictable(bytes: number): Buffer {
  let state = 1;
  return Buffer.from(Array.from({ length: 65_536 }, () => ((state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0) >>> 30 < 2 ? "a" : "b")).join("").repeat(Math.ceil(bytes / 65_536)));
}

const slow = "[ab]*a[ab]{200}[cd]";
const silent: GrepEvents = { file: () => undefined, list: () => undefined, linesFull: () => false, listFull: () => false };

function request(directory: string, pattern: string, extra: Partial<GrepRequest> = {}): GrepRequest {
  const path = join(root, directory);
  return {
    root: path, rootKind: "directory", shownPrefix: "", ignoreBoundary: path, excludedPaths: [], skippedDirectories: [], includeHidden: false, budget: {}, timeoutMs: 60_000, signal: new AbortController().signal,
    pattern, glob: undefined, mode: "content", ignoreCase: false, multiline: false, contextLines: 0, maxLinesAFile: 50, maxLineBytes: 2000, ...extra,
  };
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
    const running = ending(backend.grep(request("long", slow), silent));
    const waiting = ending(backend.grep(request("short", "hit"), silent));
    await moment(300);
    await backend.close();
    expect([await running, await waiting]).toEqual(["SearchFault: its session was closed", "SearchFault: its session was closed"]);
    expect(await ending(backend.grep(request("short", "hit"), silent))).toBe("SearchFault: its session was closed");
  });

  it("[T47] leaves the searches of others alone", async () => {
    const [first, second] = [createLocalSearchBackend(), createLocalSearchBackend()];
    const running = ending(first.grep(request("long", slow), silent));
    const waiting = ending(second.grep(request("short", "hit"), silent));
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
  const running = ending(backend.grep(request("long", slow, { signal: first.signal }), silent));
  const waiting = ending(backend.grep(request("short", "hit", { signal: second.signal }), silent));
  await moment(100);
  second.abort(new Error("no more"));
  expect(await Promise.race([waiting, running])).toBe("Error: no more");
  first.abort(new Error("enough"));
  expect(await running).toBe("Error: enough");
  expect(await ending(backend.grep(request("short", "hit"), silent))).toBe("1 lines");
  await backend.close();
});

it("[T11] of many searches at once, some cancelled, the others find what there is", async () => {
  const backend = createLocalSearchBackend();
  const searches = Array.from({ length: 60 }, (_, index) => {
    const controller = new AbortController();
    const ended = ending(backend.grep(request("short", "hit", { signal: controller.signal }), silent));
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
  const broken = { ...silent, list: (): never => { throw new Error("no space left"); } };
  expect(await ending(backend.grep(request("short", "hit"), broken))).toBe("Error: no space left");
  expect(await ending(backend.grep(request("short", "hit"), silent))).toBe("1 lines");
  await backend.close();
});

it("[T47] a thread that dies is told to whoever waits for it, and replaced", async () => {
  const backend = createLocalSearchBackend();
  for (const which of [0, -1]) {
    const running = ending(backend.grep(request("long", slow), silent));
    while (busyThreads().length < 2) await moment(10);
    await busyThreads().at(which)?.stop();
    expect(await running).toBe("SearchFault: the search could not be finished: a search thread was ended");
    expect(await ending(backend.grep(request("short", "hit"), silent))).toBe("1 lines");
  }
  await backend.close();
});
