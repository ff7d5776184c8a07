import { availableParallelism } from "node:os";
import type { SearchScope } from "../search-backend.ts";
import { SearchThread } from "./search-thread.ts";
import { turnComes } from "./turn-comes.ts";

/** More threads than this do not pay: the disk and the memory become the limit. */
const maxThreads = 4;

/**
 * The threads of all searches of this process: started when the first search needs them, kept warm after it. Searches
 * run one after another, each on all threads.
 */
export class SearchPool {
  readonly #startThread: (onReady: () => void) => SearchThread;
  readonly #size = Math.max(2, Math.min(maxThreads, availableParallelism()));
  #threads: SearchThread[] = [];
  #turn: Promise<unknown> = Promise.resolve();
  #users = 0;
  readonly #readyListeners = new Set<() => void>();

  constructor(startThread: (onReady: () => void) => SearchThread = (onReady) => new SearchThread(onReady)) {
    this.#startThread = startThread;
  }

  acquire(): void {
    this.#users += 1;
  }

  /** The last user to leave ends the threads. */
  async release(): Promise<void> {
    this.#users -= 1;
    if (this.#users > 0) return;
    const threads = this.#living();
    this.#threads = [];
    await Promise.all(threads.map((thread) => thread.stop()));
  }

  /**
   * Runs `work` when no other search runs; undefined where the deadline comes before that.
   *
   * @throws the signal's reason where it fires before that
   */
  inTurn<T>(limits: Pick<SearchScope, "deadline" | "signal">, work: () => Promise<T>): Promise<T | undefined> {
    const before = this.#turn;
    const run = turnComes(before, limits).then((came) => (came ? work() : undefined));
    this.#turn = Promise.allSettled([before, run]);
    return run;
  }

  /** The threads that can work; those that are missing are started, and take work at once, though they begin it when they are warm. */
  threads(wanted: number): readonly SearchThread[] {
    this.#threads = this.#living();
    while (this.#threads.length < Math.min(wanted, this.#size)) {
      this.#threads.push(this.#startThread(() => this.#readyListeners.forEach((listener) => listener())));
    }
    return this.#threads;
  }

  #living(): SearchThread[] {
    return this.#threads.filter((thread) => !thread.dead);
  }

  get size(): number {
    return this.#size;
  }

  /** Calls `listener` whenever a thread has started, until the returned function is called. */
  onReady(listener: () => void): () => void {
    this.#readyListeners.add(listener);
    return () => this.#readyListeners.delete(listener);
  }
}

/** One for the process: buffers and warm threads are worth sharing. */
export const searchPool = new SearchPool();
