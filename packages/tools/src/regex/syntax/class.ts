import { foldAsciiCase, foldCase } from "../unicode/fold.ts";
import { complement, intersect, negate, rangesOf, subtract, union, type Ranges } from "../unicode/ranges.ts";
import { readEscape } from "./escape.ts";
import type { Flags } from "./flags.ts";
import type { Reader } from "./reader.ts";

const posixClasses: Readonly<Record<string, Ranges>> = {
  alnum: [0x30, 0x39, 0x41, 0x5a, 0x61, 0x7a],
  alpha: [0x41, 0x5a, 0x61, 0x7a],
  ascii: [0, 0x7f],
  blank: [9, 9, 0x20, 0x20],
  cntrl: [0, 0x1f, 0x7f, 0x7f],
  digit: [0x30, 0x39],
  graph: [0x21, 0x7e],
  lower: [0x61, 0x7a],
  print: [0x20, 0x7e],
  punct: [0x21, 0x2f, 0x3a, 0x40, 0x5b, 0x60, 0x7b, 0x7e],
  space: [9, 13, 0x20, 0x20],
  upper: [0x41, 0x5a],
  word: [0x30, 0x39, 0x41, 0x5a, 0x5f, 0x5f, 0x61, 0x7a],
  xdigit: [0x30, 0x39, 0x41, 0x46, 0x61, 0x66],
};

/** The deepest classes within classes of a pattern; deeper ones are refused. */
const maxNesting = 100;

/** All that is not in `ranges`: of Unicode, or under `(?-u)` of the bytes. */
export function negatedBy(ranges: Ranges, flags: Flags): Ranges {
  return flags.unicode ? complement(ranges) : negate(ranges, 0xff);
}

export function foldedBy(ranges: Ranges, flags: Flags): Ranges {
  if (!flags.ignoreCase) return ranges;
  return flags.unicode ? foldCase(ranges) : foldAsciiCase(ranges);
}

/** Reads a class after its opening bracket, which stands at `from`. */
export function readClass(reader: Reader, flags: Flags, from: number, depth = 0): Ranges {
  if (depth > maxNesting) reader.fail("this class is nested too deeply", from);
  const negated = reader.take("^");
  const whole = readSetExpression(reader, flags, from, depth);
  const folded = foldedBy(whole, flags);
  return negated ? negatedBy(folded, flags) : folded;
}

type Operator = "&&" | "--" | "~~";

function readSetExpression(reader: Reader, flags: Flags, from: number, depth: number): Ranges {
  let left: Ranges | undefined;
  let operator: Operator | undefined;
  for (let first = true; ; first = false) {
    const items = readItems(reader, flags, from, depth, first);
    left = left === undefined || operator === undefined ? items : combine(reader, operator, foldedBy(left, flags), foldedBy(items, flags));
    if (reader.take("]")) return left;
    operator = takeOperator(reader);
  }
}

function takeOperator(reader: Reader): Operator | undefined {
  for (const operator of ["&&", "--", "~~"] as const) if (reader.take(operator)) return operator;
  return undefined;
}

function combine(reader: Reader, operator: Operator, left: Ranges, right: Ranges): Ranges {
  reader.spend(left.length + right.length);
  if (operator === "&&") return intersect(left, right);
  return operator === "--" ? subtract(left, right) : union(subtract(left, right), subtract(right, left));
}

/** The items up to the closing bracket or the next set operator. */
function readItems(reader: Reader, flags: Flags, from: number, depth: number, atStart: boolean): Ranges {
  const items: Ranges[] = [];
  if (atStart) readLeading(reader, flags, items);
  for (;;) {
    reader.skipBlank(flags.verbose);
    if (reader.done) reader.fail("this [ has no closing ]; write \\[ to match a bracket", from);
    if (reader.sees("]") || reader.sees("&&") || reader.sees("--") || reader.sees("~~")) return joined(reader, items);
    const at = reader.at;
    const posix = readPosix(reader, flags);
    if (posix) items.push(posix);
    else items.push(reader.take("[") ? readClass(reader, flags, at, depth + 1) : readRange(reader, flags));
  }
}

/** What stands alone stays what it is: `[\w]` is remembered as `\w` is. */
function joined(reader: Reader, items: readonly Ranges[]): Ranges {
  if (items.length === 1) return items[0]!;
  reader.spend(items.reduce((sum, { length }) => sum + length, 0));
  return rangesOf(items.flat());
}

/** Hyphens at the start, and one closing bracket there, are themselves. */
function readLeading(reader: Reader, flags: Flags, items: Ranges[]): void {
  reader.skipBlank(flags.verbose);
  if (reader.take("]")) items.push([0x5d, 0x5d]);
  while (reader.take("-")) {
    items.push([0x2d, 0x2d]);
    reader.skipBlank(flags.verbose);
  }
}

function readPosix(reader: Reader, flags: Flags): Ranges | undefined {
  if (!reader.sees("[:")) return undefined;
  const start = reader.at;
  reader.at += 2;
  const negated = reader.take("^");
  const name = reader.takeUntil(":");
  const ranges = name === undefined ? undefined : posixClasses[name];
  if (ranges && reader.take("]")) return negated ? negatedBy(foldedBy(ranges, flags), flags) : ranges;
  reader.at = start;
  return undefined;
}

function readRange(reader: Reader, flags: Flags): Ranges {
  const start = reader.at;
  const low = readItem(reader, flags);
  reader.skipBlank(flags.verbose);
  const ranged = reader.peek() === "-" && reader.peek(1) !== "]" && reader.peek(1) !== "-" && reader.peek(1) !== "";
  if (!ranged) return typeof low === "number" ? [low, low] : low;
  reader.next();
  reader.skipBlank(flags.verbose);
  const high = readItem(reader, flags);
  if (typeof low !== "number" || typeof high !== "number") reader.fail("a range such as a-z must begin and end with one character; put - first to match it", start);
  if (low > high) reader.fail("this range ends before it begins", start);
  return [low, high];
}

function readItem(reader: Reader, flags: Flags): number | Ranges {
  const from = reader.at;
  if (!reader.take("\\")) return flags.unicode ? codePoint(reader) : asciiPoint(reader);
  const escape = readEscape(reader, flags, from);
  if (escape.kind === "point") {
    if (!flags.unicode && escape.point > 0xff) reader.fail("a character beyond ASCII cannot stand in a class under (?-u)", from);
    return escape.point;
  }
  if (escape.kind === "look") reader.fail("a position such as \\b cannot stand in a class", from);
  return escape.negated ? negatedBy(foldedBy(escape.ranges, flags), flags) : escape.ranges;
}

function codePoint(reader: Reader): number {
  return reader.next().codePointAt(0) ?? 0;
}

function asciiPoint(reader: Reader): number {
  const from = reader.at;
  const point = codePoint(reader);
  if (point > 0x7f) reader.fail("a character beyond ASCII cannot stand in a class under (?-u)", from);
  return point;
}
