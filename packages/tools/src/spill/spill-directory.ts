/** Where a spill file stops: 64 MiB. */
export const maxSpillFileBytes = 64 * 1024 * 1024;

/** Where a session's over-long results are kept: `<stateHome>/spill/<session>`. */
export interface SpillDirectory {
  readonly path: string;
  /**
   * A file for one call's text, made at the first byte. Never throws: a spill that cannot be written is reported by
   * `finish` as undefined, and the result is the same without a path.
   */
  open(callId: string): SpillWriter;
}

export interface SpillWriter {
  /** Keeps up to `maxSpillFileBytes`; what comes after is counted, not kept. The bytes are the caller's again when it returns. */
  write(bytes: Uint8Array | string): void;
  /** Undefined where nothing readable was kept. */
  finish(): Promise<SpillFile | undefined>;
  /** The execution failed: the partial file is removed. */
  discard(): Promise<void>;
}

export interface SpillFile {
  readonly path: string;
  /** The file holds only the first 64 MiB. */
  readonly capped: boolean;
}
