import type { Hunk, HunkLine } from "@fencepost/contract";
import { contextLines, type LineDiff, type LineMatch } from "./line-diff.ts";

/** A change between two matches: line ranges, end exclusive. */
interface Gap {
  readonly before: number;
  readonly beforeEnd: number;
  readonly after: number;
  readonly afterEnd: number;
}

/** The changed runs of a diff with their context, as `diff -u` cuts them. */
export function toHunks(diff: LineDiff): readonly Hunk[] {
  return grouped(gaps(diff)).map((group) => toHunk(diff, group));
}

function gaps({ before, after, matches }: LineDiff): readonly Gap[] {
  const found: Gap[] = [];
  let last: LineMatch = { before: 0, after: 0, length: 0 };
  for (const match of [...matches, { before: before.length, after: after.length, length: 0 }]) {
    const gap = { before: last.before + last.length, beforeEnd: match.before, after: last.after + last.length, afterEnd: match.after };
    if (gap.before < gap.beforeEnd || gap.after < gap.afterEnd) found.push(gap);
    last = match;
  }
  return found;
}

/** Changes whose contexts touch share a hunk. */
function grouped(all: readonly Gap[]): readonly (readonly Gap[])[] {
  const groups: Gap[][] = [];
  for (const gap of all) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    if (group && last && gap.before - last.beforeEnd <= 2 * contextLines) group.push(gap);
    else groups.push([gap]);
  }
  return groups;
}

function toHunk({ skipped, before, after }: LineDiff, group: readonly Gap[]): Hunk {
  const first = group[0] ?? { before: 0, beforeEnd: 0, after: 0, afterEnd: 0 };
  const last = group.at(-1) ?? first;
  const lead = Math.min(contextLines, first.before);
  const trail = Math.min(contextLines, before.length - last.beforeEnd);
  const lines: HunkLine[] = [];
  const push = (kind: HunkLine["kind"], from: readonly string[], start: number, end: number): void => {
    for (const line of from.slice(start, end)) lines.push(toLine(kind, line));
  };
  let position = first.before - lead;
  for (const gap of group) {
    push("context", before, position, gap.before);
    push("removed", before, gap.before, gap.beforeEnd);
    push("added", after, gap.after, gap.afterEnd);
    position = gap.beforeEnd;
  }
  push("context", before, position, position + trail);
  const oldLines = last.beforeEnd + trail - (first.before - lead);
  const newLines = last.afterEnd + trail - (first.after - lead);
  return { oldStart: startOf(skipped + first.before - lead, oldLines), oldLines, newStart: startOf(skipped + first.after - lead, newLines), newLines, lines };
}

/** A side without lines is placed after the line before it, as `diff` does: 0 at the start of a file. */
function startOf(index: number, count: number): number {
  return count === 0 ? index : index + 1;
}

function toLine(kind: HunkLine["kind"], line: string): HunkLine {
  if (!line.endsWith("\n")) return { kind, text: line, missingNewline: true };
  return { kind, text: line.slice(0, line.endsWith("\r\n") ? -2 : -1) };
}
