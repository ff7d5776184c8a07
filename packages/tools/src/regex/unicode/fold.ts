import { contains, rangesOf, remembering, type Ranges } from "./ranges.ts";

/** Where code points with a case live: scanning these is a few milliseconds, scanning all of Unicode is a hundred. A test says where a version of Unicode adds one. */
const casedBlocks: readonly (readonly [number, number])[] = [
  [0x41, 0x58f],
  [0x10a0, 0x10ff],
  [0x13a0, 0x13ff],
  [0x1c80, 0x1cbf],
  [0x1d79, 0x1dbf],
  [0x1e00, 0x1fff],
  [0x2100, 0x218f],
  [0x24b6, 0x24ea],
  [0x2c00, 0x2dff],
  [0xa640, 0xa7ff],
  [0xab30, 0xabbf],
  [0xfb00, 0xfb17],
  [0xff21, 0xff5a],
  [0x10400, 0x105ff],
  [0x10c80, 0x10cff],
  [0x10d50, 0x10d85],
  [0x118a0, 0x118df],
  [0x16e40, 0x16e7f],
  [0x16ea0, 0x16ed3],
  [0x1e900, 0x1e943],
];

/** The same under simple folding, though neither is the other's upper or lower case: those are several characters. */
const alike: readonly (readonly [number, number])[] = [
  [0x390, 0x1fd3],
  [0x3b0, 0x1fe3],
  [0xfb05, 0xfb06],
];

/** Each map to themselves under simple folding, whatever the platform's upper and lower case say. */
const dotlessAndDotted = new Set([0x130, 0x131]);

/** The code points that differ only in case from another, in order, and for each all of those and itself. */
interface Cases {
  readonly points: Int32Array;
  readonly orbits: ReadonlyMap<number, readonly number[]>;
}

let allCases: Cases | undefined;

/** Adds every code point that differs only in case, by Unicode's simple folding. */
export const foldCase: (ranges: Ranges) => Ranges = remembering((ranges) => {
  const { points, orbits } = asciiOnly(ranges) ? asciiCases : (allCases ??= casesOf(readOrbits()));
  const added: number[] = [];
  for (let index = 0; index < ranges.length; index += 2) {
    const hi = ranges[index + 1]!;
    for (let place = firstFrom(points, ranges[index]!); place < points.length && points[place]! <= hi; place += 1) {
      for (const other of orbits.get(points[place]!) ?? []) if (!contains(ranges, other)) added.push(other, other);
    }
  }
  return added.length === 0 ? ranges : rangesOf([...ranges, ...added]);
});

/** The place of the first that is not below `point`. */
function firstFrom(points: Int32Array, point: number): number {
  let lo = 0;
  let hi = points.length;
  while (lo < hi) {
    const middle = (lo + hi) >> 1;
    if (points[middle]! < point) lo = middle + 1;
    else hi = middle;
  }
  return lo;
}

function casesOf(orbits: ReadonlyMap<number, readonly number[]>): Cases {
  return { points: Int32Array.from(orbits.keys()).toSorted(), orbits };
}

/** Adds the other case of ASCII letters and nothing else: what `(?i-u)` means. */
export function foldAsciiCase(ranges: Ranges): Ranges {
  const added: number[] = [];
  for (let upper = 0x41; upper <= 0x5a; upper += 1) {
    if (contains(ranges, upper)) added.push(upper + 32, upper + 32);
    if (contains(ranges, upper + 32)) added.push(upper, upper);
  }
  return rangesOf([...ranges, ...added]);
}

function asciiOnly(ranges: Ranges): boolean {
  return (ranges.at(-1) ?? 0) < 0x80;
}

/** The orbits of ASCII letters, the Kelvin sign and the long s included. */
const asciiCases: Cases = casesOf(
  new Map(
    Array.from({ length: 26 }, (_, index): [number, number[]][] => {
      const beyond = index === 10 ? [0x212a] : index === 18 ? [0x17f] : [];
      const orbit = [0x41 + index, 0x61 + index, ...beyond];
      return [
        [0x41 + index, orbit],
        [0x61 + index, orbit],
      ];
    }).flat(),
  ),
);

function readOrbits(): ReadonlyMap<number, readonly number[]> {
  const leaders = new Map<number, number>();
  const leaderOf = (point: number): number => {
    const leader = leaders.get(point) ?? point;
    return leader === point ? point : leaderOf(leader);
  };
  const join = (point: number, other: number): void => {
    leaders.set(leaderOf(other), leaderOf(point));
    if (!leaders.has(point)) leaders.set(point, point);
  };
  for (const [from, to] of casedBlocks) {
    for (let point = from; point <= to; point += 1) {
      if (dotlessAndDotted.has(point)) continue;
      const text = String.fromCodePoint(point);
      for (const cased of [text.toLowerCase(), text.toUpperCase()]) {
        const other = cased.codePointAt(0) ?? point;
        if (other !== point && cased.length === (other > 0xffff ? 2 : 1)) join(point, other);
      }
    }
  }
  for (const [point, other] of alike) join(point, other);
  const groups = new Map<number, number[]>();
  for (const point of leaders.keys()) {
    const leader = leaderOf(point);
    groups.set(leader, [...(groups.get(leader) ?? []), point]);
  }
  const found = new Map<number, readonly number[]>();
  for (const members of groups.values()) for (const point of members) found.set(point, members);
  return found;
}
