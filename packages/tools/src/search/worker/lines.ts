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

export function countNewlines(bytes: Uint8Array, from: number, to: number): number {
  let count = 0;
  for (let index = from; index < to; index += 1) if (bytes[index] === newline) count += 1;
  return count;
}
