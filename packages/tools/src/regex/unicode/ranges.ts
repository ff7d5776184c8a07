/** Code points as sorted, non-touching, inclusive pairs: `[lo, hi, lo, hi, …]`. */
export type Ranges = readonly number[];

export const maxCodePoint = 0x10ffff;

export function rangesOf(pairs: readonly number[]): Ranges {
  const sorted: [number, number][] = [];
  for (let index = 0; index < pairs.length; index += 2) sorted.push([pairs[index]!, pairs[index + 1]!]);
  sorted.sort((left, right) => left[0] - right[0]);
  const merged: number[] = [];
  for (const [lo, hi] of sorted) {
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
