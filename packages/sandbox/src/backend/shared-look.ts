import type { Buffer } from "node:buffer";
import { lstatSync } from "node:fs";
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { CachedDirectory } from "./directory-cache.ts";

/** With fewer directories than this, a thread costs more than it saves. */
const leastDirectories = 2000;

/** Directories looked at between two looks at what is left. */
const directoriesPerTurn = 64;

/** What the other thread has begun and not done after this time, as on a busy machine, is left to whoever asks. */
const maxWaitMs = 5;

/** What two threads look at. What they both write is in shared memory. */
interface Work {
  readonly files: readonly (string | Buffer)[];
  /** Three numbers a directory: device, inode, ctime. */
  readonly states: Float64Array;
  /** 1: the directory was found in its state. */
  readonly unchanged: Uint8Array;
  /** How many directories somebody has taken, and how many are done. */
  readonly counts: Int32Array;
  readonly perTurn: number;
}

/**
 * Looks whether directories are as they were, with a thread beside this one: most of the time goes into the kernel.
 * Everything is looked at after the call and before the answer, whoever does it.
 */
export class SharedLook {
  #helper: Worker | undefined;
  #hasFailed = availableParallelism() < 2;
  #directories: readonly CachedDirectory[] = [];
  #work: Work | undefined;

  /** Answers for the directory at a position of the list. False: it has changed, or nobody has looked. */
  unchanged(directories: readonly CachedDirectory[]): (position: number) => boolean {
    if (directories.length < leastDirectories || this.#hasFailed) return () => false;
    const helper = (this.#helper ??= this.#start());
    const work = this.#workFor(directories, helper);
    for (const [index, { state }] of directories.entries()) {
      work.states[3 * index] = state?.dev ?? Number.NaN;
      work.states[3 * index + 1] = typeof state?.ino === "number" ? state.ino : Number.NaN;
      work.states[3 * index + 2] = state?.ctimeMs ?? Number.NaN;
    }
    work.unchanged.fill(0);
    Atomics.store(work.counts, 1, 0);
    Atomics.store(work.counts, 0, 0);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread, not a window
    helper?.postMessage(undefined);
    lookAtAll(work, lstatSync);
    // Late answers of the other thread must not pass for answers of the next call: that has memory of its own.
    if (!isDone(work)) this.#forget();
    return (position) => work.unchanged[position] === 1;
  }

  close(): void {
    this.#giveUp();
  }

  #start(): Worker | undefined {
    try {
      const helper = new Worker(`(${help.toString()})(${lookAtAll.toString()})`, { eval: true, execArgv: [], env: {} });
      helper.unref();
      helper.once("error", () => this.#giveUp());
      return helper;
    } catch {
      this.#hasFailed = true;
      return undefined;
    }
  }

  #workFor(directories: readonly CachedDirectory[], helper: Worker | undefined): Work {
    if (this.#work !== undefined && this.#directories === directories) return this.#work;
    const { length } = directories;
    const work: Work = {
      files: directories.map(({ file }) => file),
      states: new Float64Array(new SharedArrayBuffer(3 * length * Float64Array.BYTES_PER_ELEMENT)),
      unchanged: new Uint8Array(new SharedArrayBuffer(length)),
      counts: new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT)),
      perTurn: directoriesPerTurn,
    };
    this.#directories = directories;
    this.#work = work;
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread, not a window
    helper?.postMessage(work);
    return work;
  }

  #forget(): void {
    this.#work = undefined;
    this.#directories = [];
  }

  #giveUp(): void {
    this.#hasFailed = true;
    this.#forget();
    void this.#helper?.terminate();
    this.#helper = undefined;
  }
}

/** Takes directories until none is left. Runs in both threads, so it knows nothing but what it is given. */
function lookAtAll({ files, states, unchanged, counts, perTurn }: Work, lstat: typeof lstatSync): void {
  for (let from = Atomics.add(counts, 0, perTurn); from < files.length; from = Atomics.add(counts, 0, perTurn)) {
    const until = Math.min(from + perTurn, files.length);
    for (let at = from; at < until; at += 1) {
      const file = files[at];
      try {
        const stats = file === undefined ? undefined : lstat(file, { throwIfNoEntry: false });
        if (stats !== undefined && stats.dev === states[3 * at] && stats.ino === states[3 * at + 1] && stats.ctimeMs === states[3 * at + 2]) unchanged[at] = 1;
      } catch {
        // Whoever asks looks again, and hears why.
      }
    }
    Atomics.add(counts, 1, until - from);
    Atomics.notify(counts, 1);
  }
}

/** All of the other thread. It is sent there as text. */
function help(look: typeof lookAtAll): void {
  const { parentPort } = process.getBuiltinModule("node:worker_threads");
  const { lstatSync: lstat } = process.getBuiltinModule("node:fs");
  let work: Work | undefined;
  parentPort?.on("message", (message: Work | undefined) => {
    if (message !== undefined) work = message;
    else if (work !== undefined) look(work, lstat);
  });
}

/** Waits for what the other thread has begun. */
function isDone({ files, counts }: Work): boolean {
  const until = performance.now() + maxWaitMs;
  for (let done = Atomics.load(counts, 1); done < files.length; done = Atomics.load(counts, 1)) {
    const leftMs = until - performance.now();
    if (leftMs <= 0) return false;
    Atomics.wait(counts, 1, done, leftMs);
  }
  return true;
}
