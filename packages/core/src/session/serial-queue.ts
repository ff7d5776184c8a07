/**
 * Runs tasks one at a time, in the order they came. Shared tasks that come one after another run at the same time.
 * A task that fails does not stop the next.
 */
export interface SerialQueue {
  readonly run: <T>(task: () => Promise<T>, options?: { readonly shared?: boolean }) => Promise<T>;
  /** Tasks that run or wait. */
  readonly size: number;
  /** Settles once nothing runs or waits. */
  readonly idle: () => Promise<void>;
}

export function createSerialQueue(): SerialQueue {
  let lastExclusive: Promise<unknown> = Promise.resolve();
  let sharedSince: Promise<unknown>[] = [];
  let size = 0;
  return {
    run(task, { shared = false } = {}) {
      size += 1;
      const before = shared ? lastExclusive : Promise.all([lastExclusive, ...sharedSince]);
      const mine = before.then(task).finally(() => {
        size -= 1;
      });
      const settled = mine.catch(() => undefined);
      if (shared) {
        sharedSince.push(settled);
      } else {
        lastExclusive = settled;
        sharedSince = [];
      }
      return mine;
    },
    get size() {
      return size;
    },
    async idle() {
      for (let left = size; left > 0; left = size) await Promise.all([lastExclusive, ...sharedSince]);
    },
  };
}
