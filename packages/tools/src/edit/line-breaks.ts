/** The two line breaks that count as one; a lone `\r` is content. */
export type LineBreak = "\n" | "\r\n";

/**
 * New text with each line break in the form of its neighbours: of the break it replaces, where old and new text
 * correspond there, else of the nearest one in the replaced text, else of the nearest one around it.
 *
 * @param newText its own line breaks folded to `\n`
 * @param oldText the replaced bytes, as they stand in the file
 */
export function adaptBreaks(newText: string, oldText: string, around: () => LineBreak): string {
  if (!newText.includes("\n")) return newText;
  const oldBreaks = breaksOf(oldText);
  const nearest = (index: number): LineBreak => oldBreaks[Math.min(index, oldBreaks.length - 1)] ?? around();
  if (oldBreaks.every((found) => found === oldBreaks[0])) return nearest(0) === "\r\n" ? newText.replaceAll("\n", "\r\n") : newText;
  const oldLines = oldText.split(/\r?\n/);
  const newLines = newText.split("\n");
  const start = commonStart(oldLines, newLines);
  const end = commonStart(oldLines.toReversed(), newLines.toReversed());
  const formOf = (index: number): LineBreak => {
    const fromEnd = newLines.length - 2 - index;
    if (oldLines.length === newLines.length || index < start) return nearest(index);
    return fromEnd < end ? nearest(oldBreaks.length - 1 - fromEnd) : nearest(Math.max(0, start - 1));
  };
  return newLines.map((line, index) => (index === newLines.length - 1 ? line : line + formOf(index))).join("");
}

/**
 * Finds the line break nearest to a place that holds none: the one that ends its line, else the one before it. Places
 * must rise: what was found for one serves the next, so that many places on one long line cost one search.
 */
export function breakFinder(bytes: Buffer): (end: number) => LineBreak {
  let next = -2;
  let last: number | undefined;
  return (end) => {
    if (next !== -1 && next < end) next = bytes.indexOf("\n", end);
    const place = next === -1 ? (last ??= bytes.lastIndexOf("\n")) : next;
    return place > 0 && bytes[place - 1] === carriageReturn ? "\r\n" : "\n";
  };
}

const carriageReturn = 13;

function breaksOf(text: string): readonly LineBreak[] {
  return (text.match(/\r?\n/g) ?? []).map((found) => (found === "\n" ? "\n" : "\r\n"));
}

function commonStart(left: readonly string[], right: readonly string[]): number {
  let count = 0;
  while (count < left.length && count < right.length && left[count] === right[count]) count++;
  return count;
}
