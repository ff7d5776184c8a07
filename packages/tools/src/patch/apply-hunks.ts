import { locateHunk, type Taken } from "./locate-hunk.ts";
import type { PatchHunk, PatchLine } from "./patch-types.ts";
import { joinTextLines, toTextLines, type TextLines } from "./text-lines.ts";

export interface PatchedText {
  readonly text: string;
  /** What was odd but done: for the result. */
  readonly diagnostics: readonly string[];
}

/** A stretch of the file's lines and what takes its place, end exclusive. */
interface Replacement extends Taken {
  readonly lines: readonly string[];
  /** Whether the new last line ends in a line break; undefined: as the file does. */
  readonly finalBreak: boolean | undefined;
}

/** Applies the hunks of one file to its text. Rejects with a `PatchError` where one cannot be placed. */
export function applyHunks(text: string, hunks: readonly PatchHunk[], file: string): PatchedText {
  const original = toTextLines(text);
  const diagnostics: string[] = [];
  const done: Replacement[] = [];
  let drift = 0;
  for (const [index, hunk] of hunks.entries()) {
    const number = index + 1;
    const lines = hunk.lines.map((line) => fitted(line, original));
    // A patch that shows carriage returns means them; one that shows none leaves them to the file.
    const literal = lines.some((line) => line.text.endsWith("\r"));
    const view = literal ? original.lines : original.lines.map(withoutReturn);
    const old = lines.filter((line) => line.kind !== "added").map((line) => line.text);
    const hint = hunk.oldStart - 1 + drift;
    const { start, relaxation } = locateHunk(view, { file, number, hint, old, taken: done, toEnd: lines.some((line) => line.kind !== "added" && line.missingNewline) });
    if (hunk.miscounted) diagnostics.push(`hunk ${number} of ${file}: the counts in its header do not fit its lines`);
    if (relaxation !== undefined) diagnostics.push(`hunk ${number} of ${file}: matched ${relaxation}`);
    drift += start - hint;
    done.push({ start, end: start + old.length, ...replace(lines, original.lines, start, literal) });
  }
  return { text: joinTextLines(splice(original, done)), diagnostics };
}

/** The mark of the file is not part of its first line, also where the patch shows it there. */
function fitted(line: PatchLine, { mark }: TextLines): PatchLine {
  return mark !== "" && line.text.startsWith(mark) ? { ...line, text: line.text.slice(mark.length) } : line;
}

function withoutReturn(line: string): string {
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}

/** Context keeps the file's own text; an added line ends as the line beside it does. */
function replace(lines: readonly PatchLine[], original: readonly string[], start: number, literal: boolean): Pick<Replacement, "lines" | "finalBreak"> {
  const result: string[] = [];
  let position = start;
  for (const line of lines) {
    if (line.kind === "added") {
      const beside = original[position > start ? position - 1 : position] ?? original[position - 1] ?? "";
      result.push(!literal && beside.endsWith("\r") ? `${line.text}\r` : line.text);
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
