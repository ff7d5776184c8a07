import { createLineSearch } from "./line-search.ts";
import { locateHunk } from "./locate-hunk.ts";
import type { PatchHunk, PatchLine } from "./patch-types.ts";
import { createTakenLines } from "./taken-lines.ts";
import { joinTextLines, toTextLines, type TextLines } from "./text-lines.ts";

export interface PatchedText {
  readonly text: string;
  /** What was odd but done: for the result. */
  readonly diagnostics: readonly string[];
}

/** A stretch of the file's lines and what takes its place, end exclusive. */
interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly lines: readonly string[];
  /** Whether the new last line ends in a line break; undefined: as the file does. */
  readonly finalBreak: boolean | undefined;
}

/** Applies the hunks of one file to its text. Rejects with a `PatchError` where one cannot be placed. */
export function applyHunks(text: string, hunks: readonly PatchHunk[], file: string): PatchedText {
  const original = toTextLines(text);
  const diagnostics: string[] = [];
  const done: Replacement[] = [];
  const taken = createTakenLines();
  const asItIs = createLineSearch(original.lines);
  // A patch that shows carriage returns means them; one that shows none leaves them to the file.
  const withoutReturns = original.lines.some(endsInReturn) ? createLineSearch(original.lines.map(withoutReturn)) : asItIs;
  let drift = 0;
  for (const [index, hunk] of hunks.entries()) {
    const number = index + 1;
    const lines = fitted(hunk, original);
    const literal = lines.some((line) => endsInReturn(line.text));
    const old = lines.filter((line) => line.kind !== "added").map((line) => line.text);
    const hint = hunk.oldStart - 1 + drift;
    const { start, relaxation } = locateHunk(literal ? asItIs : withoutReturns, { file, number, hint, old, taken, toEnd: lines.some((line) => line.kind !== "added" && line.missingNewline) });
    if (hunk.miscounted) diagnostics.push(`hunk ${number} of ${file}: the counts in its header do not fit its lines`);
    if (relaxation !== undefined) diagnostics.push(`hunk ${number} of ${file}: matched ${relaxation}`);
    drift += start - hint;
    const end = start + old.length;
    taken.take(start, end);
    done.push({ start, end, ...replace(lines, original.lines, start, literal) });
  }
  return { text: joinTextLines(splice(original, done)), diagnostics };
}

/** The mark of the file is not part of its first line, also where the patch shows it there. Elsewhere it is text. */
function fitted({ oldStart, lines }: PatchHunk, { mark }: TextLines): readonly PatchLine[] {
  if (mark === "" || oldStart > 1) return lines;
  const firsts = [lines.findIndex((line) => line.kind !== "added"), lines.findIndex((line) => line.kind !== "removed")];
  return lines.map((line, index) => (firsts.includes(index) && line.text.startsWith(mark) ? { ...line, text: line.text.slice(mark.length) } : line));
}

function endsInReturn(line: string): boolean {
  return line.endsWith("\r");
}

function withoutReturn(line: string): string {
  return endsInReturn(line) ? line.slice(0, -1) : line;
}

/** Context keeps the file's own text; an added line ends as the line beside it does. */
function replace(lines: readonly PatchLine[], original: readonly string[], start: number, literal: boolean): Pick<Replacement, "lines" | "finalBreak"> {
  const result: string[] = [];
  let position = start;
  for (const line of lines) {
    if (line.kind === "added") {
      const beside = original[position > start ? position - 1 : position] ?? original[position - 1] ?? "";
      result.push(!literal && endsInReturn(beside) ? `${line.text}\r` : line.text);
      continue;
    }
    if (line.kind === "context") result.push(original[position] ?? "");
    position++;
  }
  return { lines: result, finalBreak: finalBreakOf(lines) };
}

/** What the hunk says about the end of the new file; undefined where it says nothing. */
function finalBreakOf(lines: readonly PatchLine[]): boolean | undefined {
  const lastNew = lines.findLast((line) => line.kind !== "removed");
  if (lastNew?.kind === "added" && lastNew.missingNewline) return false;
  return lines.some((line) => line.kind === "removed" && line.missingNewline) ? true : undefined;
}

function splice(original: TextLines, replacements: readonly Replacement[]): TextLines {
  const result: string[] = [];
  let position = 0;
  let { finalBreak } = original;
  for (const { start, end, lines, finalBreak: wanted } of replacements.toSorted((left, right) => left.start - right.start)) {
    for (const line of original.lines.slice(position, start)) result.push(line);
    for (const line of lines) result.push(line);
    position = end;
    if (end === original.lines.length && wanted !== undefined) finalBreak = wanted;
  }
  for (const line of original.lines.slice(position)) result.push(line);
  return { ...original, lines: result, finalBreak };
}
