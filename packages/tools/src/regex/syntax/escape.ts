import { looks, type Look } from "../hir.ts";
import { asciiDigitRanges, asciiSpaceRanges, asciiWordRanges, digitRanges, spaceRanges, wordRanges } from "../unicode/perl.ts";
import { propertyRanges } from "../unicode/property.ts";
import { maxCodePoint, type Ranges } from "../unicode/ranges.ts";
import type { Flags } from "./flags.ts";
import type { Reader } from "./reader.ts";

/** What follows a backslash. */
export type Escape =
  | { readonly kind: "point"; readonly point: number; /** Written `\xFF`: under `(?-u)` it is that byte. */ readonly byte: boolean }
  | { readonly kind: "set"; readonly ranges: Ranges; readonly negated: boolean; readonly property: boolean }
  | { readonly kind: "look"; readonly look: Look };

const controls: Readonly<Record<string, number>> = { a: 7, f: 12, t: 9, n: 10, r: 13, v: 11 };

/** Reads on after the backslash at `from`. */
export function readEscape(reader: Reader, flags: Flags, from: number): Escape {
  if (reader.done) reader.fail("the pattern ends in a single backslash; write \\\\ to match one", from);
  const letter = reader.next();
  const control = controls[letter];
  if (control !== undefined) return { kind: "point", point: control, byte: false };
  if (/[dDsSwW]/u.test(letter)) return { kind: "set", ranges: perlRanges(letter.toLowerCase(), flags), negated: letter < "a", property: false };
  switch (letter) {
    case "A":
      return { kind: "look", look: looks.textStart };
    case "z":
      return { kind: "look", look: looks.textEnd };
    case "b":
      return { kind: "look", look: wordLook(reader, flags) };
    case "B":
      return { kind: "look", look: flags.unicode ? looks.notUnicodeWord : looks.notAsciiWord };
    case "<":
      return { kind: "look", look: flags.unicode ? looks.unicodeWordStart : looks.asciiWordStart };
    case ">":
      return { kind: "look", look: flags.unicode ? looks.unicodeWordEnd : looks.asciiWordEnd };
    case "x":
      return hexEscape(reader, 2, from);
    case "u":
      return hexEscape(reader, 4, from);
    case "U":
      return hexEscape(reader, 8, from);
    case "p":
    case "P":
      return propertyEscape(reader, flags, letter === "P", from);
    default:
      return literalEscape(reader, letter, from);
  }
}

function perlRanges(letter: string, flags: Flags): Ranges {
  if (letter === "d") return flags.unicode ? digitRanges : asciiDigitRanges;
  if (letter === "s") return flags.unicode ? spaceRanges : asciiSpaceRanges;
  return flags.unicode ? wordRanges : asciiWordRanges;
}

function wordLook(reader: Reader, flags: Flags): Look {
  if (reader.take("{start-half}")) return flags.unicode ? looks.unicodeHalfStart : looks.asciiHalfStart;
  if (reader.take("{end-half}")) return flags.unicode ? looks.unicodeHalfEnd : looks.asciiHalfEnd;
  if (reader.take("{start}")) return flags.unicode ? looks.unicodeWordStart : looks.asciiWordStart;
  if (reader.take("{end}")) return flags.unicode ? looks.unicodeWordEnd : looks.asciiWordEnd;
  return flags.unicode ? looks.unicodeWord : looks.asciiWord;
}

function hexEscape(reader: Reader, width: number, from: number): Escape {
  let digits = "";
  if (reader.take("{")) digits = reader.takeUntil("}") ?? reader.fail("this \\x{…} has no closing }", from);
  else for (let count = 0; count < width; count += 1) digits += reader.next();
  if (!/^[0-9a-fA-F]{1,8}$/u.test(digits)) reader.fail("expected hexadecimal digits, as in \\x41 or \\x{1F600}; write \\\\ to match a backslash", from);
  const point = Number.parseInt(digits, 16);
  if (point > maxCodePoint || (point >= 0xd800 && point <= 0xdfff)) reader.fail(`U+${digits} is not a Unicode character`, from);
  return { kind: "point", point, byte: point <= 0xff };
}

function propertyEscape(reader: Reader, flags: Flags, upper: boolean, from: number): Escape {
  if (!flags.unicode) reader.fail("Unicode properties cannot be used under (?-u)", from);
  const written = reader.take("{") ? (reader.takeUntil("}") ?? reader.fail("this \\p{…} has no closing }", from)) : reader.next();
  const negated = written.startsWith("^");
  const unequal = written.replace("!=", "=");
  const ranges = propertyRanges(negated ? unequal.slice(1) : unequal);
  if (!ranges) reader.fail(`there is no Unicode property ${shortened(written)}; known are general categories, scripts and yes/no properties, such as \\p{Lu}, \\p{Greek}, \\p{Emoji}`, from);
  reader.uses(ranges);
  return { kind: "set", ranges, negated: upper !== (negated || unequal !== written), property: true };
}

/** A name as an error repeats it, in characters. */
const shownNameCharacters = 60;

function shortened(name: string): string {
  const characters = Array.from(name);
  return characters.length > shownNameCharacters ? `${characters.slice(0, shownNameCharacters).join("")}…` : name;
}

const instead: Readonly<Record<string, string>> = {
  Z: "write \\z, or $ for the end of a line",
  h: "write [ \\t]",
  R: "write \\r?\\n with the multiline option",
  K: "match the whole text, and use a narrower pattern",
  G: "leave it out",
  Q: "escape each special character with a backslash",
  E: "escape each special character with a backslash",
  e: "write \\x1B",
  c: "write \\x and two hexadecimal digits",
  k: "back-references are not supported, because they cannot be matched in linear time; write out the alternatives",
};

function literalEscape(reader: Reader, letter: string, from: number): Escape {
  if (letter === "0") reader.fail("\\0 is not an escape of Rust's regex syntax; write \\x00 for a NUL, and \\x and hexadecimal digits for other characters", from);
  if (/[0-9]/u.test(letter)) {
    reader.fail(`back-references such as \\${letter} are not supported, because they cannot be matched in linear time; write out the alternatives, as in (aa|bb)`, from);
  }
  if (/[A-Za-z]/u.test(letter) || (letter.codePointAt(0) ?? 0) > 0x7f) {
    reader.fail(`\\${letter} is not an escape of Rust's regex syntax; ${instead[letter] ?? `write ${letter} if you mean the character`}`, from);
  }
  return { kind: "point", point: letter.codePointAt(0) ?? 0, byte: false };
}
