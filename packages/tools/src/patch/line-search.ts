import { findMatches } from "../edit/find-matches.ts";

/** What of a line is compared. */
export type LineForm = (line: string) => string;

/** Where a block of lines may start: indexes, end exclusive. */
export interface StartRange {
  readonly from: number;
  readonly to: number;
}

/** A file's lines, searched for one block after another. */
export interface LineSearch {
  readonly lines: readonly string[];
  /** Where `block` stands, in order, overlapping places too. Default: anywhere. */
  find(block: readonly string[], form: LineForm, range?: StartRange): readonly number[];
}

interface Numbered {
  /** Equal lines have equal numbers. */
  readonly numbers: Int32Array;
  readonly numberOf: ReadonlyMap<string, number>;
  /** For each number, where such lines stand, in order. */
  readonly places: readonly (readonly number[])[];
}

/**
 * A patch may have tens of thousands of hunks, so what a search needs of the file is made once for each form, and a
 * search looks only where the rarest line of its block stands.
 */
export function createLineSearch(lines: readonly string[]): LineSearch {
  const known = new Map<LineForm, Numbered>();
  const numbered = (form: LineForm): Numbered => {
    const found = known.get(form) ?? number(lines, form);
    known.set(form, found);
    return found;
  };
  return {
    lines,
    find(block, form, { from, to } = { from: 0, to: lines.length }) {
      const { numbers, numberOf, places } = numbered(form);
      const needle = Int32Array.from(block, (line) => numberOf.get(form(line)) ?? absent);
      const rarest = rarestOf(needle, places);
      if (rarest === undefined) return [];
      const first = Math.max(0, from);
      const end = Math.min(to, lines.length - needle.length + 1);
      const candidates = between(places[needle[rarest] ?? absent] ?? [], first + rarest, end + rarest);
      const part = numbers.subarray(first, Math.max(first, end + needle.length - 1));
      if (candidates.length * needle.length > part.length) return findMatches(part, needle).map((start) => start + first);
      return candidates.map((place) => place - rarest).filter((start) => needle.every((value, offset) => numbers[start + offset] === value));
    },
  };
}

const absent = -1;

function number(lines: readonly string[], form: LineForm): Numbered {
  const numberOf = new Map<string, number>();
  const places: number[][] = [];
  const numbers = Int32Array.from(lines, (line, index) => {
    const key = form(line);
    const value = numberOf.get(key) ?? places.length;
    if (value === places.length) {
      numberOf.set(key, value);
      places.push([]);
    }
    places[value]?.push(index);
    return value;
  });
  return { numbers, numberOf, places };
}

/** Index of the line of a block that stands at the fewest places; undefined where one stands nowhere. */
function rarestOf(needle: Int32Array, places: readonly (readonly number[])[]): number | undefined {
  let rarest: number | undefined;
  let fewest = Number.POSITIVE_INFINITY;
  for (const [index, value] of needle.entries()) {
    const count = places[value]?.length ?? 0;
    if (count === 0) return undefined;
    if (count >= fewest) continue;
    [rarest, fewest] = [index, count];
  }
  return rarest;
}

/** Those of ascending numbers that are in a range, end exclusive. */
function between(ascending: readonly number[], from: number, to: number): readonly number[] {
  return ascending.slice(lowerBound(ascending, from), lowerBound(ascending, to));
}

/** The first index whose number is not less. */
export function lowerBound(ascending: readonly number[], value: number): number {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ascending[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
