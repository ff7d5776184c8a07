/** The line (from 1) that holds the byte at `offset`. */
export function lineAt(bytes: Uint8Array, offset: number): number {
  return 1 + breaksBetween(bytes, 0, offset);
}

/** How many line feeds lie from `start` up to, and not including, `end`. */
export function breaksBetween(bytes: Uint8Array, start: number, end: number): number {
  let count = 0;
  for (let index = start; index < end; index++) if (bytes[index] === 10) count++;
  return count;
}

const maxListedLines = 10;

/** `lines 1 and 3`, `lines 1, 3, 7 and 12 more`: of rising offsets, each line once. */
export function listLines(bytes: Uint8Array, offsets: readonly number[]): string {
  const lines: number[] = [];
  let line = 1;
  let position = 0;
  for (const offset of offsets) {
    for (; position < offset; position++) if (bytes[position] === 10) line++;
    if (lines.at(-1) !== line) lines.push(line);
  }
  if (lines.length === 1) return `line ${lines[0]}`;
  const shown = lines.slice(0, maxListedLines);
  if (lines.length > shown.length) return `lines ${shown.join(", ")} and ${lines.length - shown.length} more`;
  return `lines ${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}`;
}
