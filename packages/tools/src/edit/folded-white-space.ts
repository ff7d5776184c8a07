/** A text with every run of white space as one space, and where its characters come from. */
export interface FoldedWhiteSpace {
  readonly text: string;
  /** The true range of a folded one, end exclusive. */
  range(start: number, end: number): { readonly start: number; readonly end: number };
}

export function foldWhiteSpace(text: string): FoldedWhiteSpace {
  const parts: string[] = [];
  // For each folded unit, where it starts in the text; one more for the end.
  const starts = new Int32Array(text.length + 1);
  let length = 0;
  for (const match of text.matchAll(/\s+|\S+/g)) {
    const run = match[0];
    const blank = /\s/.test(run[0] ?? "");
    parts.push(blank ? " " : run);
    const count = blank ? 1 : run.length;
    for (let index = 0; index < count; index++) starts[length++] = match.index + index;
  }
  starts[length] = text.length;
  return { text: parts.join(""), range: (start, end) => ({ start: starts[start] ?? 0, end: starts[end] ?? text.length }) };
}
