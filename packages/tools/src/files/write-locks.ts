/** One holder a key at a time: in this process, and across processes where a lock directory is given. */
export interface WriteLocks {
  /** Runs `work` while it holds the lock of a real path. Released however `work` ends. */
  withLock<T>(realPath: string, work: () => Promise<T>): Promise<T>;
}
