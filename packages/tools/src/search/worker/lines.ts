const newline = 10;

/** Where the line that holds `at` begins, not before `from`. */
export function lineStart(bytes: Uint8Array, at: number, from: number): number {
  let start = at;
  while (start > from && bytes[start - 1] !== newline) start -= 1;
  return start;
}

/** Where the line that holds `at` ends, without its line break. */
export function lineEnd(bytes: Buffer, at: number, to: number): number {
  const nearby = Math.min(to, at + 64);
  for (let index = at; index < nearby; index += 1) if (bytes[index] === newline) return index;
  if (nearby === to) return to;
  const found = bytes.indexOf(newline, nearby);
  return found === -1 || found > to ? to : found;
}

/** Shorter texts are counted byte by byte. */
const leastWordBytes = 64;

export function countNewlines(bytes: Uint8Array, from: number, to: number): number {
  let count = 0;
  let at = from;
  if (to - from >= leastWordBytes) {
    while ((bytes.byteOffset + at) % 4 !== 0) {
      if (bytes[at] === newline) count += 1;
      at += 1;
    }
    const words = new Int32Array(bytes.buffer, bytes.byteOffset + at, (to - at) >> 2);
    count += countInWords(words);
    at += words.length * 4;
  }
  for (; at < to; at += 1) if (bytes[at] === newline) count += 1;
  return count;
}

/** Four bytes at a time: of each the lowest bit is left where it is a newline. */
function countInWords(words: Int32Array): number {
  let count = 0;
  for (let from = 0; from < words.length; from += 255) {
    const end = Math.min(words.length, from + 255);
    let sums = 0;
    for (let index = from; index < end; index += 1) {
      const differs = words[index]! ^ 0x0a0a0a0a;
      sums = (sums + (~(((differs & 0x7f7f7f7f) + 0x7f7f7f7f) | differs | 0x7f7f7f7f) >>> 7)) | 0;
    }
    count += (sums & 0xff) + ((sums >>> 8) & 0xff) + ((sums >>> 16) & 0xff) + (sums >>> 24);
  }
  return count;
}
