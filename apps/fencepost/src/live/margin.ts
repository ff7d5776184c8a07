import type { View } from "../cli/terminal.ts";
import { visibleText } from "../view/visible.ts";

/** Text that comes in pieces, set inside a margin. */
export interface Margin {
  /** What to print for one more piece. The last word may be held back until it is whole. */
  add(text: string): string;
  /** What ends the text: the held word, and a line break where one is missing. */
  end(): string;
  /** Begins anew at the left edge; the held word is lost. */
  drop(): void;
}

const indent = "  ";

/**
 * A model's words as they stream, made harmless, each line behind a margin and broken before the terminal would: no
 * line of it begins at the left edge, where it could pass for a card or a prompt of ours.
 */
export function createMargin(view: Pick<View, "columns">): Margin {
  const room = (): number => view.columns - 1;
  let column = 0;
  let word = "";
  /** First half of a character whose second half comes with the next piece. */
  let half = "";

  const put = (character: string): string => {
    const width = widthOf(character);
    const breaks = column > indent.length && column + width > room();
    const start = breaks ? `\n${indent}` : column === 0 ? indent : "";
    column = (start === "" ? column : indent.length) + width;
    return start + character;
  };

  const putWord = (): string => {
    const characters = Array.from(word);
    const width = characters.reduce((sum, character) => sum + widthOf(character), 0);
    word = "";
    const wraps = column > indent.length && column + width > room() && indent.length + width <= room();
    if (wraps) column = 0;
    return (wraps ? "\n" : "") + characters.map(put).join("");
  };

  const take = (character: string): string => {
    if (character === "\n") {
      const text = `${putWord()}\n`;
      column = 0;
      return text;
    }
    if (character === " " || character === "\t") return putWord() + put(" ");
    word += character;
    // A word as long as a line is not waited for.
    return word.length >= room() ? putWord() : "";
  };

  return {
    add(text) {
      const whole = half + text;
      half = /[\ud800-\udbff]$/.exec(whole)?.[0] ?? "";
      return Array.from(visibleText(half === "" ? whole : whole.slice(0, -1)))
        .map(take)
        .join("");
    },
    drop() {
      word = "";
      half = "";
      column = 0;
    },
    end() {
      const rest = Array.from(visibleText(half)).map(take).join("") + putWord();
      half = "";
      const unfinished = column > 0;
      column = 0;
      return `${rest}${unfinished ? "\n" : ""}`;
    },
  };
}

/** As in `wrapLine`: never too few. */
function widthOf(character: string): number {
  return character.length > 1 || character > "~" ? 2 : 1;
}
