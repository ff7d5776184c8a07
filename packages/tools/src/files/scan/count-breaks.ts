const lineFeeds = 0x0a0a0a0a;
const lowBits = 0x7f7f7f7f;
const ones = 0x01010101;

/** After this many words a counter of one byte could overflow. */
const wordsPerFold = 255;

/**
 * How many line feeds the first `length` bytes of a buffer hold. Four bytes at a time: short lines cost as little as
 * long ones.
 *
 * @param words the same memory as `bytes`, as 32-bit words
 */
export function countBreaks(bytes: Uint8Array, words: Int32Array, length: number): number {
  const wordCount = length >> 2;
  let count = 0;
  for (let index = 0; index < wordCount; ) {
    const end = Math.min(index + wordsPerFold, wordCount);
    let counters = 0;
    for (; index < end; index++) {
      const difference = (words[index] ?? 0) ^ lineFeeds;
      // The top bit of each byte: set where the byte is a line feed.
      counters += (~(((difference & lowBits) + lowBits) | difference | lowBits) >>> 7) & ones;
    }
    count += (counters & 0xff) + ((counters >>> 8) & 0xff) + ((counters >>> 16) & 0xff) + (counters >>> 24);
  }
  for (let index = wordCount << 2; index < length; index++) if (bytes[index] === 10) count++;
  return count;
}
