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
    if (width + widthOf(character) > columns && piece !== "") {
      const cut = breakAfterSpace(piece);
      pieces.push(piece.slice(0, cut));
      piece = piece.slice(cut);
      width = textWidth(piece);
    }
    piece += character;
    width += widthOf(character);
  }
  return [...pieces, piece];
}

/** After the last space of the second half, so that words stay whole where that costs little; else at the end. */
function breakAfterSpace(piece: string): number {
  const space = piece.lastIndexOf(" ");
  return space >= piece.length / 2 ? space + 1 : piece.length;
}

/** How many columns a text takes: never too few. */
export function textWidth(text: string): number {
  return Array.from(text).reduce((width, character) => width + widthOf(character), 0);
}

function widthOf(character: string): number {
  return character.length > 1 || character > "~" ? 2 : 1;
}
