/** How alike two lines must be, from 0 to 1, to be called near. */
const minLikeness = 0.4;

const maxShownCharacters = 60;

/** How many places the first line of a text is tried at. */
const maxPlaces = 1000;

/** The nearest place to a text that is nowhere in a file, with its first difference, and what to do. */
export function nearestText(text: string, oldText: string): string {
  const lines = text.split("\n");
  const block = oldText.split("\n");
  const known = new Set(lines);
  const missing = block.find((line) => line.trim() !== "" && !known.has(line));
  if (missing === undefined) return outOfOrder(lines, block);
  const { index, likeness } = nearestLine(lines, missing);
  if (likeness < minLikeness) return "nothing in the file is like it. Read the file again, or use grep to find the place.";
  const line = lines[index] ?? "";
  const from = Math.max(0, commonStart(line, missing) - lead);
  return `the nearest is line ${index + 1}, which has ${quote(line, from)} where the text has ${quote(missing, from)}. Read that part again and copy it.`;
}

/** Characters shown before the first difference. */
const lead = 20;

function nearestLine(lines: readonly string[], wanted: string): { readonly index: number; readonly likeness: number } {
  let best = { index: 0, likeness: -1 };
  for (const [index, line] of lines.entries()) {
    const likeness = likenessOf(line, wanted);
    if (likeness > best.likeness) best = { index, likeness };
  }
  return best;
}

/** The part of the longer line that both start and end with. */
function likenessOf(line: string, wanted: string): number {
  const [left, right] = [line.trim(), wanted.trim()];
  const longest = Math.max(left.length, right.length);
  if (longest === 0) return 0;
  const start = commonStart(left, right);
  const most = Math.min(left.length, right.length) - start;
  let end = 0;
  while (end < most && left[left.length - 1 - end] === right[right.length - 1 - end]) end++;
  return (start + end) / longest;
}

function outOfOrder(lines: readonly string[], block: readonly string[]): string {
  let best = { start: 0, length: 0 };
  let tried = 0;
  for (const [start, line] of lines.entries()) {
    if (line !== block[0] || tried++ >= maxPlaces) continue;
    let length = 1;
    while (length < block.length && lines[start + length] === block[length]) length++;
    if (length > best.length) best = { start, length };
  }
  if (best.length === 0) return "its lines are in the file, but not in this order. Read the file again and copy the text.";
  const line = best.start + best.length;
  const there = lines[line] === undefined ? "the file ends" : `line ${line + 1} has ${quote(lines[line], 0)}`;
  return `its first ${best.length === 1 ? "line is" : `${best.length} lines are`} at line ${best.start + 1}, but then ${there} where the text has ${quote(block[best.length] ?? "", 0)}. Read that part again and copy it.`;
}

function commonStart(left: string, right: string): number {
  let count = 0;
  while (count < left.length && left[count] === right[count]) count++;
  return count;
}

/** JSON quoting shows tabs and other invisible characters. */
function quote(line: string, from: number): string {
  const characters = Array.from(line.slice(from, from + 2 * maxShownCharacters));
  const cut = characters.length > maxShownCharacters || from + 2 * maxShownCharacters < line.length;
  const shown = JSON.stringify(characters.slice(0, maxShownCharacters).join("").replaceAll(/\p{Surrogate}/gu, "\uFFFD"));
  return `${from > 0 ? "…" : ""}${shown}${cut ? "…" : ""}`;
}
