const lineFeeds = 0x0a0a0a0a;
const lowBits = 0x7f7f7f7f;
const topBits = 0x80808080;

/** So many words are looked at in one turn of the loop. */
const wordsPerTurn = 4;

/** After this many words a counter of one byte could overflow. */
const wordsPerFold = 252;

/**
 * How many line feeds the first `length` bytes of a buffer hold. Four bytes at a time: short lines cost as little as
 * long ones.
 *
 * @param words the same memory as `bytes`, as 32-bit words
 */
export function countBreaks(bytes: Uint8Array, words: Int32Array, length: number): number {
  const wordCount = (length >> 2) & ~(wordsPerTurn - 1);
  // Bytes that are something else: that takes one operation less than line feeds.
  let others = 0;
  for (let index = 0; index < wordCount; ) {
    const end = Math.min(index + wordsPerFold, wordCount);
    let counters = 0;
    for (; index < end; index += wordsPerTurn) {
      counters += (marks(words[index] ?? 0) >>> 7) + (marks(words[index + 1] ?? 0) >>> 7);
      counters += (marks(words[index + 2] ?? 0) >>> 7) + (marks(words[index + 3] ?? 0) >>> 7);
      counters |= 0;
    }
    others += (counters & 0xff) + ((counters >>> 8) & 0xff) + ((counters >>> 16) & 0xff) + (counters >>> 24);
  }
  let count = 4 * wordCount - others;
  for (let index = 4 * wordCount; index < length; index++) if (bytes[index] === 10) count++;
  return count;
}

/** The top bit of each byte: set where the byte is no line feed. */
function marks(word: number): number {
  const difference = word ^ lineFeeds;
  return (((difference & lowBits) + lowBits) | difference) & topBits;
}
