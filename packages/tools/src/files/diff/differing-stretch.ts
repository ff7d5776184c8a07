/** Where two texts differ: on line boundaries, with some of the lines around it that both have. Offsets, end exclusive. */
export interface DifferingStretch {
  /** The same in both. */
  readonly start: number;
  readonly beforeEnd: number;
  readonly afterEnd: number;
  /** How many lines both have before `start`. */
  readonly linesBefore: number;
}

/** What has to be known of a text in UTF-16, or of its bytes. Offsets count the units of either. */
export interface TextUnits<T> {
  readonly lengthOf: (text: T) => number;
  readonly unitAt: (text: T, offset: number) => number;
  /** Whether as many units from both offsets on are the same. */
  readonly same: (left: T, leftOffset: number, right: T, rightOffset: number, count: number) => boolean;
  /** The line break at or after an offset, or -1. */
  readonly breakFrom: (text: T, offset: number) => number;
  /** The line break at or before an offset that is not negative, or -1. */
  readonly breakUpTo: (text: T, offset: number) => number;
}

export const stringUnits: TextUnits<string> = {
  lengthOf: (text) => text.length,
  unitAt: (text, offset) => text.charCodeAt(offset),
  same: (left, leftOffset, right, rightOffset, count) => left.slice(leftOffset, leftOffset + count) === right.slice(rightOffset, rightOffset + count),
  breakFrom: (text, offset) => text.indexOf("\n", offset),
  breakUpTo: (text, offset) => text.lastIndexOf("\n", offset),
};

export const byteUnits: TextUnits<Buffer> = {
  lengthOf: (bytes) => bytes.length,
  unitAt: (bytes, offset) => bytes[offset] ?? -1,
  same: (left, leftOffset, right, rightOffset, count) => left.compare(right, rightOffset, rightOffset + count, leftOffset, leftOffset + count) === 0,
  breakFrom: (bytes, offset) => bytes.indexOf(10, offset),
  breakUpTo: (bytes, offset) => bytes.lastIndexOf(10, offset),
};

/** Small edits of large files are the rule: what both texts start and end with is passed over without looking at lines. */
export function differingStretch<T>(before: T, after: T, units: TextUnits<T>, contextLines: number): DifferingStretch {
  const [beforeLength, afterLength] = [units.lengthOf(before), units.lengthOf(after)];
  const head = commonHead(before, after, units);
  const tail = commonTail(before, after, units, Math.min(beforeLength, afterLength) - head);
  let start = lineStart(before, head, units);
  let beforeEnd = nextLine(before, beforeLength - tail, units);
  for (let line = 0; line < contextLines; line++) {
    start = lineStart(before, Math.max(0, start - 1), units);
    beforeEnd = nextLine(before, beforeEnd, units);
  }
  let linesBefore = 0;
  for (let offset = 0; offset < start; offset = nextLine(before, offset, units)) linesBefore++;
  return { start, beforeEnd, afterEnd: afterLength - (beforeLength - beforeEnd), linesBefore };
}

/** Compared at once, as memory. */
const blockUnits = 1024;

function commonHead<T>(left: T, right: T, { lengthOf, unitAt, same }: TextUnits<T>): number {
  const most = Math.min(lengthOf(left), lengthOf(right));
  let length = 0;
  while (length + blockUnits <= most && same(left, length, right, length, blockUnits)) length += blockUnits;
  while (length < most && unitAt(left, length) === unitAt(right, length)) length++;
  return length;
}

function commonTail<T>(left: T, right: T, { lengthOf, unitAt, same }: TextUnits<T>, most: number): number {
  const [leftEnd, rightEnd] = [lengthOf(left), lengthOf(right)];
  let length = 0;
  while (length + blockUnits <= most && same(left, leftEnd - length - blockUnits, right, rightEnd - length - blockUnits, blockUnits)) length += blockUnits;
  while (length < most && unitAt(left, leftEnd - length - 1) === unitAt(right, rightEnd - length - 1)) length++;
  return length;
}

function lineStart<T>(text: T, offset: number, { breakUpTo }: TextUnits<T>): number {
  return offset === 0 ? 0 : breakUpTo(text, offset - 1) + 1;
}

function nextLine<T>(text: T, offset: number, { breakFrom, lengthOf }: TextUnits<T>): number {
  const end = breakFrom(text, offset);
  return end === -1 ? lengthOf(text) : end + 1;
}
