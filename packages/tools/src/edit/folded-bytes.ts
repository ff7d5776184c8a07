const lineFeed = 10;
const carriageReturn = 13;

/** A file's bytes with every `\r\n` as `\n`, and the way back to the true offsets. A lone `\r` is content. */
export interface FoldedBytes {
  readonly bytes: Uint8Array;
  /** The true range of a folded one: a line break is taken whole. */
  range(start: number, end: number): { readonly start: number; readonly end: number };
}

export function foldBreaks(bytes: Buffer): FoldedBytes {
  const first = bytes.indexOf("\r\n");
  if (first === -1) return { bytes, range: (start, end) => ({ start, end }) };
  const folded = Buffer.allocUnsafe(bytes.length);
  // Folded offsets of the line feeds that lost their carriage return, rising.
  const dropped: number[] = [];
  let length = bytes.copy(folded, 0, 0, first);
  for (let index = first; index < bytes.length; index++) {
    const byte = bytes[index] ?? 0;
    if (byte === carriageReturn && bytes[index + 1] === lineFeed) dropped.push(length);
    else folded[length++] = byte;
  }
  const trueOffset = (offset: number): number => offset + countBelow(dropped, offset);
  return { bytes: folded.subarray(0, length), range: (start, end) => ({ start: trueOffset(start), end: trueOffset(end) }) };
}

/** How many of the rising `values` are less than `limit`. */
function countBelow(values: readonly number[], limit: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((values[middle] ?? 0) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function foldText(text: string): string {
  return text.replaceAll("\r\n", "\n");
}
