import { diff_match_patch, DIFF_DELETE, DIFF_EQUAL, type Diff } from "diff-match-patch";
import { utf8Text } from "../utf8-text.ts";
import { byteUnits, differingStretch, stringUnits } from "./differing-stretch.ts";
import { fitsTrace } from "./edit-distance.ts";
import { splitLines } from "./split-lines.ts";

/** Runs of lines that two texts have in common, in order. Everything between is removed or added. */
export interface LineMatch {
  readonly before: number;
  readonly after: number;
  readonly length: number;
}

/** The lines of two texts around where they differ, and which of them match. */
export interface LineDiff {
  /** Lines that both texts start with and that are left out of the rest, so that it is small where the change is. */
  readonly skipped: number;
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly matches: readonly LineMatch[];
  readonly additions: number;
  readonly deletions: number;
}

/** How many distinct lines fit into one text of UTF-16 units, one unit a line. */
const maxLineSymbols = 65_535;

/** Unchanged lines that a hunk shows around a change: so many are kept where the texts are the same. */
export const contextLines = 3;

/** Compares two texts by whole lines, line breaks included. */
export function diffLines(before: string, after: string): LineDiff {
  const { start, beforeEnd, afterEnd, linesBefore } = differingStretch(before, after, stringUnits, contextLines);
  return diffStretch(before.slice(start, beforeEnd), after.slice(start, afterEnd), linesBefore);
}

/** `diffLines` of valid UTF-8, where only what differs has to be decoded. */
export function diffBytes(before: Buffer, after: Buffer): LineDiff {
  const { start, beforeEnd, afterEnd, linesBefore } = differingStretch(before, after, byteUnits, contextLines);
  return diffStretch(utf8Text(before.subarray(start, beforeEnd)), utf8Text(after.subarray(start, afterEnd)), linesBefore);
}

function diffStretch(beforeText: string, afterText: string, skipped: number): LineDiff {
  const before = splitLines(beforeText);
  const after = splitLines(afterText);
  const start = commonStart(before, after);
  const end = commonEnd(before, after, start);
  const inner = matchMiddle(before.slice(start, before.length - end), after.slice(start, after.length - end));
  const matches = joined([
    { before: 0, after: 0, length: start },
    ...inner.map((match) => ({ before: match.before + start, after: match.after + start, length: match.length })),
    { before: before.length - end, after: after.length - end, length: end },
  ]);
  const common = matches.reduce((sum, match) => sum + match.length, 0);
  return { skipped, before, after, matches, additions: after.length - common, deletions: before.length - common };
}

function commonStart(before: readonly string[], after: readonly string[]): number {
  const most = Math.min(before.length, after.length);
  let count = 0;
  while (count < most && before[count] === after[count]) count++;
  return count;
}

function commonEnd(before: readonly string[], after: readonly string[], start: number): number {
  const most = Math.min(before.length, after.length) - start;
  let count = 0;
  while (count < most && before[before.length - 1 - count] === after[after.length - 1 - count]) count++;
  return count;
}

/**
 * Lines that only one side has match nothing: they are left out before the algorithm runs, which makes a full rewrite
 * cheap and changes no count.
 */
function matchMiddle(before: readonly string[], after: readonly string[]): readonly LineMatch[] {
  const symbols = new Map<string, number>();
  for (const line of before) if (!symbols.has(line)) symbols.set(line, 0);
  let count = 0;
  for (const line of after) if (symbols.get(line) === 0) symbols.set(line, ++count);
  const left = shared(before, symbols);
  const right = shared(after, symbols);
  if (left.symbols.length === 0 || right.symbols.length === 0) return [];
  const exact = count <= maxLineSymbols && fitsTrace(left.symbols, right.symbols);
  const pairs = exact ? shortestScript(left.symbols, right.symbols) : endsOnly(left.symbols, right.symbols);
  return pairs.flatMap((pair) => spread(pair, left.positions, right.positions));
}

interface SharedLines {
  readonly symbols: Int32Array;
  /** Where each of them stands among all lines. */
  readonly positions: Int32Array;
}

function shared(lines: readonly string[], symbols: ReadonlyMap<string, number>): SharedLines {
  const found = new Int32Array(lines.length);
  const positions = new Int32Array(lines.length);
  let count = 0;
  for (const [index, line] of lines.entries()) {
    const symbol = symbols.get(line) ?? 0;
    if (symbol === 0) continue;
    found[count] = symbol;
    positions[count++] = index;
  }
  return { symbols: found.subarray(0, count), positions: positions.subarray(0, count) };
}

function shortestScript(left: Int32Array, right: Int32Array): readonly LineMatch[] {
  const engine = new diff_match_patch();
  // No deadline: `fitsTrace` bounds the work, and a clock would make the same change differ from run to run.
  engine.Diff_Timeout = 0;
  return toMatches(engine.diff_main(toText(left), toText(right), false));
}

const chunkUnits = 8192;

function toText(symbols: Int32Array): string {
  const parts: string[] = [];
  for (let start = 0; start < symbols.length; start += chunkUnits) parts.push(String.fromCharCode(...symbols.subarray(start, start + chunkUnits)));
  return parts.join("");
}

function toMatches(diffs: readonly Diff[]): readonly LineMatch[] {
  const matches: LineMatch[] = [];
  let before = 0;
  let after = 0;
  for (const [operation, text] of diffs) {
    if (operation === DIFF_EQUAL) matches.push({ before, after, length: text.length });
    if (operation === DIFF_EQUAL || operation === DIFF_DELETE) before += text.length;
    if (operation !== DIFF_DELETE) after += text.length;
  }
  return matches;
}

/** Beyond the limits: what both sides start and end with is common, the rest is replaced. */
function endsOnly(left: Int32Array, right: Int32Array): readonly LineMatch[] {
  const most = Math.min(left.length, right.length);
  let start = 0;
  while (start < most && left[start] === right[start]) start++;
  let end = 0;
  while (end < most - start && left[left.length - 1 - end] === right[right.length - 1 - end]) end++;
  return [
    { before: 0, after: 0, length: start },
    { before: left.length - end, after: right.length - end, length: end },
  ];
}

/** A run of shared lines, back where the lines stand that were left out between. */
function spread({ before, after, length }: LineMatch, left: Int32Array, right: Int32Array): readonly LineMatch[] {
  return Array.from({ length }, (_, index) => ({ before: left[before + index] ?? 0, after: right[after + index] ?? 0, length: 1 }));
}

function joined(matches: readonly LineMatch[]): readonly LineMatch[] {
  const result: { before: number; after: number; length: number }[] = [];
  for (const match of matches) {
    if (match.length === 0) continue;
    const last = result.at(-1);
    if (last && last.before + last.length === match.before && last.after + last.length === match.after) last.length += match.length;
    else result.push({ ...match });
  }
  return result;
}
