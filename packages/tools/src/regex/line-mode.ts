import { looks, type Hir, type Look } from "./hir.ts";
import { PatternError } from "./pattern-error.ts";
import { contains, remembering, subtract, type Ranges } from "./unicode/ranges.ts";

const lineBreak = [10, 10, 13, 13] as const;

/**
 * Restricts a pattern to one line: nothing in it matches a line break any more, and the text's ends are the line's. A
 * carriage return is matched only where it is asked for by name: `\s` and `[^x]` would find one in every line of some files.
 *
 * @throws PatternError where it asks for a line break in so many words
 */
export function restrictToLine(hir: Hir): Hir {
  switch (hir.kind) {
    case "empty":
      return hir;
    case "look":
      return { kind: "look", look: lineLook(hir.look) };
    case "class":
    case "bytes":
      if (hir.ranges.length === 2 && hir.ranges[0] === 10 && hir.ranges[1] === 10) {
        throw new PatternError("the pattern contains a line break, and the search goes line by line; set `multiline` to true, or search for one of the lines");
      }
      if (!contains(hir.ranges, 10) && !contains(hir.ranges, 13)) return hir;
      return { kind: hir.kind, ranges: namesReturn(hir.ranges) ? [13, 13] : withoutLineBreak(hir.ranges) };
    case "concat":
    case "alternate":
      return { kind: hir.kind, parts: hir.parts.map(restrictToLine) };
    default:
      return { ...hir, part: restrictToLine(hir.part) };
  }
}

const withoutLineBreak = remembering((ranges) => subtract(ranges, lineBreak));

/** `\r`, `[\r\n]` */
function namesReturn(ranges: Ranges): boolean {
  return ranges.length > 0 && withoutLineBreak(ranges).length === 0;
}

/** A carriage return alone begins no line: what is shown as one begins behind a line break. */
function lineLook(look: Look): Look {
  if (look === looks.textStart || look === looks.lineStartCrlf) return looks.lineStart;
  return look === looks.textEnd ? looks.lineEndCrlf : look;
}
