import { lowerBound } from "./line-search.ts";

/** The stretches of a file's lines that hunks have taken: no other hunk may touch them. */
export interface TakenLines {
  /** A stretch that touches no other, end exclusive. */
  take(start: number, end: number): void;
  touches(start: number, end: number): boolean;
}

export function createTakenLines(): TakenLines {
  // Both ascending, because the stretches do not touch.
  const starts: number[] = [];
  const ends: number[] = [];
  return {
    take(start, end) {
      const index = lowerBound(starts, start);
      starts.splice(index, 0, start);
      ends.splice(index, 0, end);
    },
    touches(start, end) {
      const index = lowerBound(ends, start + 1);
      return (starts[index] ?? Number.POSITIVE_INFINITY) < end;
    },
  };
}
