/**
 * Breaks one line into pieces of at most `columns`, so that a terminal never does: a piece that a terminal breaks begins
 * at the left edge, where it could pass for a line of ours. Anything but ASCII counts as two columns, which is never too
 * few for characters that are shown.
 */
export function wrapLine(line: string, columns: number): readonly string[] {
  const pieces: string[] = [];
  let piece = "";
  let width = 0;
  for (const character of line) {
    const wide = character.length > 1 || character > "~" ? 2 : 1;
    if (width + wide > columns && piece !== "") {
      pieces.push(piece);
      piece = "";
      width = 0;
    }
    piece += character;
    width += wide;
  }
  return [...pieces, piece];
}
