import { execFileSync } from "node:child_process";
import { closeSync, constants, mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { SearchPool } from "../../../src/search/local/search-pool.ts";
import { SearchThread } from "../../../src/search/local/search-thread.ts";

// A thread that waits in the system for a pipe nobody writes to cannot be ended: as on a network disk that is gone.

let directory: string;
let pipe: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "fencepost-pool-"));
  pipe = join(directory, "pipe");
  execFileSync("mkfifo", [pipe]);
});
afterEach(() => {
  // Lets go what still hangs there.
  closeSync(openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK));
  rmSync(directory, { recursive: true });
});

const hangingPool = async (): Promise<SearchPool> => {
  const source = `require("node:worker_threads").parentPort.postMessage({ kind: "ready" }); require("node:fs").openSync(${JSON.stringify(pipe)}, "r")`;
  const pool = new SearchPool((onReady) => new SearchThread(onReady, source));
  pool.acquire();
  const ready = new Promise<void>((resolve) => pool.onReady(resolve));
  pool.threads(1);
  await ready;
  // It has just said so: a moment later it hangs.
  await new Promise((resolve) => setTimeout(resolve, 300));
  return pool;
};

it("[T47] a pool is closed although a thread of it hangs in the system", async () => {
  const pool = await hangingPool();
  const [thread] = pool.threads(1);
  await pool.release();
  expect(thread).toMatchObject({ dead: true });
});

it("[T47] what was given up before is not waited for again", async () => {
  const pool = await hangingPool();
  await pool.threads(1)[0]?.stop();
  let turns = 0;
  const released = pool.release().then(() => turns);
  for (; turns < 20; turns += 1) await Promise.resolve();
  expect(await released).toBeLessThan(20);
});
