import type { View } from "../cli/terminal.ts";
import { visibleText } from "../view/visible.ts";

/** Text that comes in pieces, set inside a margin. */
export interface Margin {
  /** What to print for one more piece. */
  add(text: string): string;
  /** What ends the text: a line break where one is missing. */
  end(): string;
}

const indent = "  ";

/**
 * A model's words as they stream, made harmless, each line behind a margin and broken before the terminal would: no
 * line of it begins at the left edge, where it could pass for a card or a prompt of ours.
 */
export function createMargin({ columns }: Pick<View, "columns">): Margin {
  let column = 0;
  /** First half of a character whose second half comes with the next piece. */
  let half = "";

  const put = (character: string): string => {
    if (character === "\n") {
      column = 0;
      return "\n";
    }
    const shown = character === "\t" ? "  " : character;
    const width = shown.length > 1 || shown > "~" ? 2 : 1;
    const breaks = column > 0 && column + width > columns - 1;
    const start = column === 0 || breaks ? indent : "";
    column = (start === "" ? column : indent.length) + width;
    return `${breaks ? "\n" : ""}${start}${shown}`;
  };

  return {
    add(text) {
      const whole = half + text;
      half = /[\ud800-\udbff]$/.exec(whole)?.[0] ?? "";
      const ready = half === "" ? whole : whole.slice(0, -1);
      return Array.from(visibleText(ready)).map(put).join("");
    },
    end() {
      const rest = Array.from(visibleText(half)).map(put).join("");
      half = "";
      const missing = column > 0;
      column = 0;
      return `${rest}${missing || rest !== "" ? "\n" : ""}`;
    },
  };
}
