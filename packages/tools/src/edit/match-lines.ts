import { findMatches } from "./find-matches.ts";

/** Where a block of lines stands among others, by line index, each line compared without the white space around it. */
export function findTrimmedLines(lines: readonly string[], block: readonly string[], most: number): readonly number[] {
  const numbers = new Map<string, number>();
  const number = (line: string): number => {
    const key = line.trim();
    const known = numbers.get(key);
    if (known !== undefined) return known;
    numbers.set(key, numbers.size);
    return numbers.size - 1;
  };
  return findMatches(Int32Array.from(lines, number), Int32Array.from(block, number), most);
}
