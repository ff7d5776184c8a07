import { afterEach, beforeEach, expect, it } from "vitest";
import { runSearch, type SearchEvents } from "../../../src/search/local/run-search.ts";
import type { SearchPool } from "../../../src/search/local/search-pool.ts";
import { searchScopeOf } from "../../../src/testing/search-request.ts";
import { makeHangingPlace, type HangingPlace } from "./hanging-threads.ts";

let place: HangingPlace;
beforeEach(() => {
  place = makeHangingPlace();
});
afterEach(() => place.close());

/** Two threads: the one that leads hangs in the system, the one that helps does `helps`. */
async function poolWhereTheLeaderHangs(helps: string): Promise<SearchPool> {
  return place.pool(`parentPort.on("message", ({ kind }) => { if (kind === "lead") ${place.hang}; else ${helps}; })`, 2);
}

function search(pool: SearchPool, events: Partial<SearchEvents> = {}): Promise<unknown> {
  const { signal, budget: _budget, ...scope } = searchScopeOf("/", { deadline: Infinity });
  const job = { ...scope, maxFiles: Infinity, maxBytes: Infinity, maxFileBytes: Infinity, work: { kind: "glob", pattern: "*", maxNewest: 1 } } as const;
  const quiet = { result: () => undefined, linesFull: () => false, listFull: () => false };
  return runSearch(pool, { job, signal, parallel: true, events: { ...quiet, ...events } });
}

function refuse(): never {
  throw new Error("no space left");
}

it("[T47] a search without a time limit that fails in one thread does not wait for another that hangs", async () => {
  const pool = await poolWhereTheLeaderHangs(`parentPort.postMessage({ kind: "fault", reason: { kind: "failed" }, message: "it broke" })`);
  await expect(search(pool)).rejects.toThrow("it broke");
  await pool.release();
});

it("[T47] neither does one whose results nobody can take", async () => {
  const pool = await poolWhereTheLeaderHangs(`parentPort.postMessage({ kind: "result", batch: 0, bytes: 0 })`);
  await expect(search(pool, { result: refuse })).rejects.toThrow("no space left");
  await pool.release();
});
