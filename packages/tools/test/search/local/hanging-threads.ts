import { execFileSync } from "node:child_process";
import { closeSync, constants, mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SearchPool } from "../../../src/search/local/search-pool.ts";
import { SearchThread } from "../../../src/search/local/search-thread.ts";

/** A place in the system where a thread hangs that cannot be ended: as on a network disk that is gone. */
export interface HangingPlace {
  /** Code for a thread, without a line break: where it runs, the thread waits for a pipe that nobody writes to. */
  readonly hang: string;
  /** A pool whose threads run `source` behind their start, and `count` of them that have begun. */
  pool(source: string, count: number): Promise<SearchPool>;
  /** Lets go what still hangs. */
  close(): void;
}

export function makeHangingPlace(): HangingPlace {
  const directory = mkdtempSync(join(tmpdir(), "fencepost-hanging-"));
  const pipe = join(directory, "pipe");
  execFileSync("mkfifo", [pipe]);
  return {
    hang: `require("node:fs").openSync(${JSON.stringify(pipe)}, "r")`,
    pool: async (source, count) => {
      const begun = `const { parentPort } = require("node:worker_threads"); parentPort.postMessage({ kind: "ready" }); ${source}`;
      const pool = new SearchPool((onReady) => new SearchThread(onReady, begun));
      pool.acquire();
      const ready = new Promise<void>((resolve) => {
        let threads = 0;
        pool.onReady(() => {
          threads += 1;
          if (threads === count) resolve();
        });
      });
      pool.threads(count);
      await ready;
      // They have just said so: a moment later they are where `source` leads.
      await new Promise((resolve) => setTimeout(resolve, 300));
      return pool;
    },
    close: () => {
      closeSync(openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK));
      rmSync(directory, { recursive: true });
    },
  };
}
