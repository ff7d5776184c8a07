import type { FileChange, Hunk, HunkLine } from "@fencepost/contract";
import type { View } from "../cli/terminal.ts";
import { visibleLine } from "./visible.ts";
import { wrapLine } from "./wrap.ts";

/** The most lines of one change that are shown; the change itself holds them all. */
const maxShownLines = 200;

/** One file change as a person reads it: a title with counts, then its hunks with line numbers. Lines without breaks. */
export function renderChange(change: FileChange, view: View): readonly string[] {
  const body = change.hunks.flatMap((hunk, index) => [...(index > 0 ? [view.style.dim("  ⋯")] : []), ...renderHunk(hunk, view)]);
  const rest = body.length - maxShownLines;
  return [title(change, view), ...body.slice(0, maxShownLines), ...(rest > 0 ? [view.style.dim(`  … ${rest} more lines`)] : [])];
}

function title(change: FileChange, { style }: View): string {
  const name = visibleLine(change.fromPath === undefined ? change.path : `${change.fromPath} → ${change.path}`);
  return `${style.bold(name)} ${style.green(`+${change.additions}`)} ${style.red(`-${change.deletions}`)} ${style.dim(`(${change.kind})`)}`;
}

function renderHunk(hunk: Hunk, view: View): readonly string[] {
  const width = String(Math.max(hunk.oldStart + hunk.oldLines, hunk.newStart + hunk.newLines)).length;
  let oldLine = hunk.oldStart;
  let newLine = hunk.newStart;
  return hunk.lines.flatMap((line) => {
    const number = line.kind === "removed" ? oldLine : newLine;
    if (line.kind !== "added") oldLine += 1;
    if (line.kind !== "removed") newLine += 1;
    return renderLine(line, String(number).padStart(width), view);
  });
}

const signs = { context: " ", added: "+", removed: "-" } as const;

function renderLine(line: HunkLine, number: string, { style, columns }: View): readonly string[] {
  const colour = { context: style.dim, added: style.green, removed: style.red }[line.kind];
  const text = visibleLine(line.text).replaceAll("\\t", "  ") + (line.missingNewline ? " (no line break at the end)" : "");
  const pieces = wrapLine(text, columns - number.length - 6);
  return pieces.map((piece, index) => `  ${style.dim(index === 0 ? number : " ".repeat(number.length))} ${colour(`${signs[line.kind]} ${piece}`)}`);
}
