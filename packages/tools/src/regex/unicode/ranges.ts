/** Code points as sorted, non-touching, inclusive pairs: `[lo, hi, lo, hi, …]`. */
export type Ranges = readonly number[];

export const maxCodePoint = 0x10ffff;
const aboveCodePoints = 2 ** 21;

export function rangesOf(pairs: readonly number[]): Ranges {
  // Both ends in one number, which sorts by the first: much faster than sorting pairs.
  const sorted = new Float64Array(pairs.length / 2);
  for (let index = 0; index < sorted.length; index += 1) sorted[index] = pairs[2 * index]! * aboveCodePoints + pairs[2 * index + 1]!;
  sorted.sort();
  const merged: number[] = [];
  for (const both of sorted) {
    const lo = Math.floor(both / aboveCodePoints);
    const hi = both % aboveCodePoints;
    const last = merged.length - 1;
    if (last > 0 && lo <= merged[last]! + 1) merged[last] = Math.max(merged[last]!, hi);
    else merged.push(lo, hi);
  }
  return merged;
}

export function union(left: Ranges, right: Ranges): Ranges {
  return left.length === 0 ? right : right.length === 0 ? left : rangesOf([...left, ...right]);
}

export function negate(ranges: Ranges, max: number = maxCodePoint): Ranges {
  const out: number[] = [];
  let next = 0;
  for (let index = 0; index < ranges.length; index += 2) {
    const lo = ranges[index]!;
    if (lo > next) out.push(next, lo - 1);
    next = ranges[index + 1]! + 1;
  }
  if (next <= max) out.push(next, max);
  return out;
}

/** What is made of a set by `make`, once for each set with many ranges: patterns repeat their classes. */
export function remembering(make: (ranges: Ranges) => Ranges): (ranges: Ranges) => Ranges {
  const made = new WeakMap<Ranges, Ranges>();
  return (ranges) => {
    if (ranges.length <= fewInts) return make(ranges);
    const known = made.get(ranges);
    if (known) return known;
    const found = make(ranges);
    made.set(ranges, found);
    return found;
  };
}

/** Sets of so many numbers are made anew as fast as they are looked up. */
const fewInts = 16;

/** All of Unicode without `ranges`. */
export const complement: (ranges: Ranges) => Ranges = remembering((ranges) => negate(ranges));

export function intersect(left: Ranges, right: Ranges): Ranges {
  const out: number[] = [];
  for (let l = 0, r = 0; l < left.length && r < right.length; ) {
    const lo = Math.max(left[l]!, right[r]!);
    const hi = Math.min(left[l + 1]!, right[r + 1]!);
    if (lo <= hi) out.push(lo, hi);
    if (left[l + 1]! < right[r + 1]!) l += 2;
    else r += 2;
  }
  return out;
}

export function subtract(left: Ranges, right: Ranges): Ranges {
  return intersect(left, negate(right));
}

export function contains(ranges: Ranges, point: number): boolean {
  let lo = 0;
  let hi = ranges.length / 2 - 1;
  while (lo <= hi) {
    const middle = (lo + hi) >> 1;
    if (point < ranges[2 * middle]!) hi = middle - 1;
    else if (point > ranges[2 * middle + 1]!) lo = middle + 1;
    else return true;
  }
  return false;
}
