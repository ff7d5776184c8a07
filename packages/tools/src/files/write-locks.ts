/** One holder a key at a time: in this process, and across processes where a lock directory is given. */
export interface WriteLocks {
  /**
   * Runs `work` while it holds the lock of a real path. Released however `work` ends. Rejects with `LockUnavailable`
   * where the lock cannot be had in time, or `signal` aborts the wait.
   */
  withLock<T>(realPath: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
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
    async withLock(realPath, work, signal) {
      const before = tails.get(realPath) ?? Promise.resolve();
      let leave: () => void = nothing;
      const tail = new Promise<void>((resolve) => (leave = resolve));
      tails.set(realPath, tail);
      await before;
      try {
        if (signal?.aborted) throw new LockUnavailable("cancelled", "The call was cancelled while it waited to write.");
        const release = await shared?.acquire(realPath, signal);
        try {
          return await work();
        } finally {
          release?.();
        }
      } finally {
        leave();
        if (tails.get(realPath) === tail) tails.delete(realPath);
      }
    },
  };
}

const nothing = (): void => undefined;

/** Holds several locks, always taken in the same order, so that two calls cannot wait for each other. */
export function withLocks<T>(locks: WriteLocks, realPaths: readonly string[], work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  const ordered = [...new Set(realPaths)].toSorted();
  const take = (index: number): Promise<T> => {
    const path = ordered[index];
    return path === undefined ? work() : locks.withLock(path, () => take(index + 1), signal);
  };
  return take(0);
}
