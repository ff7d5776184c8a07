import { Buffer } from "node:buffer";

/** The most that is kept of the start of an output, in bytes. */
export const headBytes = 2048;

/** The most that is kept of its end, in bytes. */
export const tailBytes = 14_336;

/** The start and the end of a byte stream, in memory that does not depend on its length. */
export interface HeadTail {
  readonly totalBytes: number;
  push(chunk: Uint8Array): void;
  /** All that was kept so far, in order: everything, as long as no more than head and tail hold was pushed. */
  kept(): Uint8Array;
  /** What to show. Cut at character boundaries of valid UTF-8. */
  cut(): HeadTailCut;
}

export interface HeadTailCut {
  readonly head: string;
  readonly omittedBytes: number;
  /** Empty where nothing was left out: then `head` is the whole. */
  readonly tail: string;
}

export function createHeadTail(): HeadTail {
  const head = Buffer.alloc(headBytes);
  const ring = Buffer.alloc(tailBytes);
  let headLength = 0;
  let total = 0;
  /** Bytes ever written to the ring. */
  let ringed = 0;

  function pushTail(bytes: Uint8Array): void {
    const last = bytes.length > tailBytes ? bytes.subarray(bytes.length - tailBytes) : bytes;
    const skipped = bytes.length - last.length;
    const at = (ringed + skipped) % tailBytes;
    const first = Math.min(last.length, tailBytes - at);
    ring.set(last.subarray(0, first), at);
    ring.set(last.subarray(first), 0);
    ringed += bytes.length;
  }

  function tail(): Buffer {
    if (ringed <= tailBytes) return Buffer.from(ring.subarray(0, ringed));
    const at = ringed % tailBytes;
    return Buffer.concat([ring.subarray(at), ring.subarray(0, at)]);
  }

  function kept(): Buffer {
    return Buffer.concat([head.subarray(0, headLength), tail()]);
  }

  return {
    get totalBytes() {
      return total;
    },
    push(chunk) {
      total += chunk.length;
      const forHead = Math.min(chunk.length, headBytes - headLength);
      head.set(chunk.subarray(0, forHead), headLength);
      headLength += forHead;
      if (forHead < chunk.length) pushTail(chunk.subarray(forHead));
    },
    kept,
    cut() {
      if (total <= headBytes + tailBytes) return { head: kept().toString("utf8"), omittedBytes: 0, tail: "" };
      const start = head.subarray(0, boundaryBefore(head, headLength));
      const end = tail();
      const shown = end.subarray(boundaryFrom(end));
      return { head: start.toString("utf8"), omittedBytes: total - start.length - shown.length, tail: shown.toString("utf8") };
    },
  };
}

/** The last character boundary at or before `length`. */
function boundaryBefore(bytes: Uint8Array, length: number): number {
  for (let back = 1; back <= 3 && back <= length; back++) {
    const byte = bytes[length - back] ?? 0;
    if (byte < 0x80) return length;
    if (byte < 0xc0) continue;
    const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return needed > back ? length - back : length;
  }
  return length;
}

/** The first character boundary. */
function boundaryFrom(bytes: Uint8Array): number {
  let start = 0;
  while (start < 3 && start < bytes.length && ((bytes[start] ?? 0) & 0xc0) === 0x80) start++;
  return start;
}
