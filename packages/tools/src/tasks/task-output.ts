import { characterBoundary } from "../spill/character-boundary.ts";

/** The most of one task's output that is kept in memory for `command_output`, in bytes. */
const maxUnreadBytes = 1024 * 1024;

/** A smaller limit could never get past such a character. */
const longestCharacterBytes = 4;

/** The end of a task's output, addressed by byte offsets into the whole. */
export interface TaskOutput {
  readonly totalBytes: number;
  /** Offset of the oldest byte that is kept. */
  readonly firstOffset: number;
  push(text: Uint8Array): void;
  /** Whole characters from `offset` on, at most `maxBytes` (or one character). */
  read(offset: number, maxBytes: number): OutputSlice;
  /** Settles when there is something at `offset`, or after `end`. */
  waitFor(offset: number, signal: AbortSignal): Promise<void>;
  /** Nothing more will come. */
  end(): void;
}

export interface OutputSlice {
  readonly text: string;
  /** Where the text starts: later than asked where that part was dropped. */
  readonly offset: number;
  readonly nextOffset: number;
  /** Bytes between what was asked and `offset` that are no longer kept. */
  readonly droppedBytes: number;
}

export function createTaskOutput(): TaskOutput {
  let chunks: Buffer[] = [];
  let first = 0;
  let total = 0;
  let ended = false;
  const waiters = new Set<() => void>();

  function wake(): void {
    for (const waiter of waiters) waiter();
    waiters.clear();
  }

  /** Drops the oldest bytes over the limit. */
  function trim(): void {
    while (total - first > maxUnreadBytes) {
      const over = total - first - maxUnreadBytes;
      const oldest = chunks[0] ?? Buffer.alloc(0);
      if (oldest.length <= over) chunks.shift();
      else chunks[0] = oldest.subarray(over);
      first += Math.min(over, oldest.length);
    }
  }

  function bytesFrom(offset: number, maxBytes: number): Buffer {
    const parts: Buffer[] = [];
    let at = first;
    let left = maxBytes;
    for (const chunk of chunks) {
      const skip = Math.max(0, offset - at);
      const part = skip < chunk.length ? chunk.subarray(skip, skip + left) : undefined;
      if (part) parts.push(part);
      left -= part?.length ?? 0;
      at += chunk.length;
      if (left <= 0) break;
    }
    return Buffer.concat(parts);
  }

  return {
    get totalBytes() {
      return total;
    },
    get firstOffset() {
      return first;
    },
    push(text) {
      chunks.push(Buffer.from(text));
      if (chunks.length > 1024) chunks = [Buffer.concat(chunks)];
      total += text.length;
      trim();
      wake();
    },
    read(asked, limitBytes) {
      const maxBytes = Math.max(limitBytes, longestCharacterBytes);
      const wanted = Math.min(Math.max(asked, first), total);
      const offset = wanted + continuationBytes(bytesFrom(wanted, 3));
      // One byte more shows whether the limit falls inside a character.
      const bytes = bytesFrom(offset, maxBytes + 1);
      const end = bytes.length > maxBytes ? characterBoundary(bytes, maxBytes) : bytes.length;
      return { text: bytes.toString("utf8", 0, end), offset, nextOffset: offset + end, droppedBytes: Math.max(0, offset - asked) };
    },
    waitFor(offset, signal) {
      if (total > offset || ended || signal.aborted) return Promise.resolve();
      return new Promise((resolve) => {
        const done = (): void => {
          signal.removeEventListener("abort", done);
          waiters.delete(done);
          resolve();
        };
        waiters.add(done);
        signal.addEventListener("abort", done, { once: true });
      });
    },
    end() {
      ended = true;
      wake();
    },
  };
}

function continuationBytes(bytes: Uint8Array): number {
  const start = bytes.findIndex((byte) => (byte & 0xc0) !== 0x80);
  return start === -1 ? bytes.length : start;
}
