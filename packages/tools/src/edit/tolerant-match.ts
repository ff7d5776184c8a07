import { findInText } from "./find-matches.ts";
import { foldWhiteSpace } from "./folded-white-space.ts";
import { findTrimmedLines } from "./match-lines.ts";
import { straightQuotes, unescaped, withoutLineNumbers } from "./variants.ts";

/** A tolerant match needs something to go by: this many characters that are not white space. */
const minTolerantCharacters = 5;

/** A match may be this much larger than `oldString`, and no more. */
const maxTolerantGrowth = { factor: 2, characters: 64 } as const;

export type TolerantMatch =
  | { readonly kind: "found"; readonly start: number; readonly end: number; readonly tolerance: string }
  | { readonly kind: "none" }
  /** `problem`: why the strategy that did match must not be used, a whole sentence. */
  | { readonly kind: "refused"; readonly problem: string };

interface Range {
  readonly start: number;
  readonly end: number;
}

interface Strategy {
  /** Follows "matched" in the summary. */
  readonly tolerance: string;
  /** At most two matches: more than one is too many already. */
  readonly find: (text: string, oldText: string) => readonly Range[];
}

/** In the order in which they are tried. */
const strategies: readonly Strategy[] = [
  { tolerance: "ignoring indentation", find: byTrimmedLines },
  { tolerance: "ignoring white space", find: byFoldedWhiteSpace },
  { tolerance: "after unescaping", find: (text, oldText) => ranges(text, unescaped(oldText)) },
  { tolerance: "ignoring quote style", find: (text, oldText) => ranges(straightQuotes(text), straightQuotes(oldText)) },
  { tolerance: "without line numbers", find: (text, oldText) => ranges(text, withoutLineNumbers(oldText) ?? "") },
];

/**
 * Finds the one place that `oldText` means though it is not exactly there. The first strategy that finds anything
 * decides: if it finds several places, or one that is much larger, nothing else is tried.
 */
export function matchTolerantly(text: string, oldText: string): TolerantMatch {
  if (oldText.replaceAll(/\s/g, "").length < minTolerantCharacters) return { kind: "none" };
  for (const { tolerance, find } of strategies) {
    const [match, second] = find(text, oldText);
    if (match === undefined) continue;
    if (second !== undefined) return { kind: "refused", problem: `oldString is not there exactly, and matches several places when ${described(tolerance)}. Add surrounding lines to it until it is unique.` };
    const size = match.end - match.start;
    if (size > maxTolerantGrowth.factor * oldText.length + maxTolerantGrowth.characters) {
      return { kind: "refused", problem: `oldString is not there exactly, and what it matches when ${described(tolerance)} is much larger (${size} characters). Copy the text from read's output.` };
    }
    return { kind: "found", ...match, tolerance };
  }
  return { kind: "none" };
}

function described(tolerance: string): string {
  return `matched ${tolerance}`;
}

function ranges(text: string, needle: string): readonly Range[] {
  return findInText(text, needle, 2).map((start) => ({ start, end: start + needle.length }));
}

/** Whole lines: the match keeps the indentation of its first line inside, because `oldText` brings its own. */
function byTrimmedLines(text: string, oldText: string): readonly Range[] {
  const lines = text.split("\n");
  const block = oldText.split("\n");
  const starts = lineStarts(lines);
  return findTrimmedLines(lines, block, 2).map((index) => {
    const last = index + block.length - 1;
    const start = starts[index] ?? 0;
    return { start, end: (starts[last] ?? 0) + withoutReturn(lines[last] ?? "").length };
  });
}

/** The `\r` of a `\r\n` belongs to the line break, which stays. */
function withoutReturn(line: string): string {
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}

function lineStarts(lines: readonly string[]): readonly number[] {
  let start = 0;
  return lines.map((line) => {
    const own = start;
    start += line.length + 1;
    return own;
  });
}

function byFoldedWhiteSpace(text: string, oldText: string): readonly Range[] {
  const folded = foldWhiteSpace(text);
  const needle = foldWhiteSpace(oldText).text;
  return findInText(folded.text, needle, 2).map((start) => folded.range(start, start + needle.length));
}
