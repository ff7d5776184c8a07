import { escapeName } from "../../paths/show-path.ts";

/** What a result says itself at the beginning of a line: a footer, a note, a line of a file with its number, an answer. */
const like = /^(?:\(\+|\d+[:-]|--$|No (?:matches for|files match) |invalid tool input)/u;

/** A name with a bracket at its beginning is usual (`[id]/page.tsx`): only one that also ends like a note is like one. */
const note = /^\[.*\]$/u;

/** A path as it stands alone on a line of a result: one that could be taken for what the result says itself begins with `./`. */
export function resultPath(path: string): string {
  const shown = escapeName(path);
  return (shown.startsWith("[") ? note : like).test(shown) ? `./${shown}` : shown;
}
