/** One holder a key at a time: in this process, and across processes where a lock directory is given. */
export interface WriteLocks {
  /**
   * Runs `work` while it holds the lock of a key: a real path, or the identity of a file. Released however `work`
   * ends. Rejects with `LockUnavailable` where the lock cannot be had in time, or `signal` aborts the wait.
   */
  withLock<T>(key: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
}

/** A lock that other processes see too. */
export interface SharedLocks {
  /** Waits for the lock of one key; the function it gives lets go. */
  acquire(key: string, signal?: AbortSignal): Promise<() => void>;
}

export class LockUnavailable extends Error {
  override readonly name = "LockUnavailable";
  readonly reason: "cancelled" | "busy" | "failed";

  constructor(reason: "cancelled" | "busy" | "failed", message: string) {
    super(message);
    this.reason = reason;
  }
}

/** Locks for the sessions of this process; with `shared`, for those of other processes too. */
export function createWriteLocks(shared?: SharedLocks): WriteLocks {
  const tails = new Map<string, Promise<void>>();
  return {
    async withLock(key, work, signal) {
      const before = tails.get(key) ?? Promise.resolve();
      let leave: () => void = nothing;
      const tail = new Promise<void>((resolve) => (leave = resolve));
      tails.set(key, tail);
      try {
        await turnOf(before, signal);
        if (signal?.aborted) throw new LockUnavailable("cancelled", "The call was cancelled while it waited to write.");
        const release = await shared?.acquire(key, signal);
        try {
          return await work();
        } finally {
          release?.();
        }
      } finally {
        // Who gave up waiting still lets nobody past those before it.
        void before.then(() => {
          leave();
          if (tails.get(key) === tail) tails.delete(key);
        });
      }
    },
  };
}

const nothing = (): void => undefined;

/** Resolves once those before are done, or nobody wants the turn any more. */
function turnOf(before: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (signal === undefined) return before;
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      signal.removeEventListener("abort", done);
      resolve();
    };
    signal.addEventListener("abort", done);
    void before.then(done);
  });
}

/** Holds several locks, always taken in the same order, so that two calls cannot wait for each other. */
export function withLocks<T>(locks: WriteLocks, keys: readonly string[], work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  const ordered = [...new Set(keys)].toSorted();
  const take = (index: number): Promise<T> => {
    const key = ordered[index];
    return key === undefined ? work() : locks.withLock(key, () => take(index + 1), signal);
  };
  return take(0);
}
