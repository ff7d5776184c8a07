/** Runs tasks one at a time, in the order they came. A task that fails does not stop the next. */
export interface SerialQueue {
  run<T>(task: () => Promise<T>): Promise<T>;
  /** Tasks that run or wait. */
  readonly size: number;
  /** Settles once nothing runs or waits. */
  idle(): Promise<void>;
}

export function createSerialQueue(): SerialQueue {
  let last: Promise<unknown> = Promise.resolve();
  let size = 0;
  return {
    run(task) {
      size += 1;
      const mine = last.then(task).finally(() => {
        size -= 1;
      });
      last = mine.catch(() => undefined);
      return mine;
    },
    get size() {
      return size;
    },
    async idle() {
      while (size > 0) await last;
    },
  };
}
