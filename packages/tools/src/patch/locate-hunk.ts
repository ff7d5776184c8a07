import type { LineForm, LineSearch, StartRange } from "./line-search.ts";
import { PatchError } from "./patch-error.ts";
import type { TakenLines } from "./taken-lines.ts";

/** How a hunk's old lines were found, where not exactly. */
export type Relaxation = "ignoring trailing white space" | "ignoring surrounding white space" | "collapsing white space";

export interface Located {
  /** Index of the first old line in the file. */
  readonly start: number;
  readonly relaxation?: Relaxation;
}

export interface HunkPlace {
  /** For texts. */
  readonly file: string;
  /** From 1. */
  readonly number: number;
  /** Where the header says the old lines begin, as an index. */
  readonly hint: number;
  readonly old: readonly string[];
  /** By the hunks before. */
  readonly taken: TakenLines;
  /** The hunk says that the file ends with its last old line. */
  readonly toEnd: boolean;
}

const minRadiusLines = 20;
const maxCandidates = 10;
const shownLines = 5;

const exact: LineForm = (line) => line;

const relaxations: readonly (readonly [Relaxation, LineForm])[] = [
  ["ignoring trailing white space", (line) => line.trimEnd()],
  ["ignoring surrounding white space", (line) => line.trim()],
  ["collapsing white space", (line) => line.trim().replaceAll(/\s+/g, " ")],
];

/**
 * Finds where a hunk's old lines stand: line numbers are hints, context decides. Exactly near the hint, exactly in the
 * whole file, then with white space ignored more and more. Each way must find one place.
 */
export function locateHunk(search: LineSearch, place: HunkPlace): Located {
  const { old, hint } = place;
  if (old.length === 0) return { start: emptyContext(search.lines, place) };
  const radius = Math.max(2 * old.length, minRadiusLines);
  const near = find(search, place, exact, { from: hint - radius, to: hint + radius + 1 });
  const [only] = unique(near.length > 0 ? near : find(search, place, exact), place);
  if (only !== undefined) return { start: only };
  for (const [relaxation, form] of relaxations) {
    const [start] = unique(find(search, place, form), place);
    if (start !== undefined) return { start, relaxation };
  }
  throw notFound(search.lines, place);
}

/** A hunk without old lines has no context to go by: only an empty file leaves one place for it. */
function emptyContext(lines: readonly string[], { file, number }: HunkPlace): number {
  if (lines.length === 0) return 0;
  throw new PatchError("ambiguous_context", `Hunk ${number} of ${file} only adds lines and has no context to place them by. Add unchanged lines around them. Nothing was changed.`);
}

function find(search: LineSearch, { old, taken, toEnd }: HunkPlace, form: LineForm, range?: StartRange): readonly number[] {
  return search.find(old, form, range).filter((start) => {
    const end = start + old.length;
    return (!toEnd || end === search.lines.length) && !taken.touches(start, end);
  });
}

function unique(found: readonly number[], { file, number }: HunkPlace): readonly number[] {
  if (found.length <= 1) return found;
  const shown = found.slice(0, maxCandidates).map((start) => start + 1);
  const more = found.length > shown.length ? ` and ${found.length - shown.length} more` : "";
  throw new PatchError("ambiguous_context", `Hunk ${number} of ${file} fits at ${found.length} places: lines ${shown.join(", ")}${more}. Add more unchanged lines around the change. Nothing was changed.`);
}

function notFound(lines: readonly string[], { file, number, hint, old }: HunkPlace): PatchError {
  const start = Math.max(0, Math.min(hint - Math.floor(shownLines / 2), lines.length - shownLines));
  const around = lines.slice(start, start + shownLines).map((line, offset) => `${start + offset + 1}\t${cut(line)}`);
  const there = around.length === 0 ? "The file is empty." : `The file has there:\n${around.join("\n")}`;
  return new PatchError("context_not_found", `Hunk ${number} of ${file} was not found: no place has its lines, which begin with ${JSON.stringify(cut(old[0] ?? ""))}. Read the file again and make the patch from it. Nothing was changed. ${there}`);
}

const maxShownCharacters = 200;

function cut(line: string): string {
  const characters = Array.from(line.slice(0, 2 * maxShownCharacters));
  return characters.length > maxShownCharacters ? `${characters.slice(0, maxShownCharacters).join("")}…` : line;
}
