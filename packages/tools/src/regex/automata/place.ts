import { looks, unicodeLooks } from "../hir.ts";
import { wordRanges } from "../unicode/perl.ts";
import { contains } from "../unicode/ranges.ts";

/** Stands for the byte beyond an end of the text. */
export const noByte = -1;

/** What a neighbour is to a Unicode word look. */
export type Neighbour = "word" | "other" | "invalid";

const asciiWord = new Uint8Array(257);
for (let byte = 0; byte < 128; byte += 1) if (/\w/u.test(String.fromCharCode(byte))) asciiWord[byte] = 1;

export function isAsciiWord(byte: number): boolean {
  return byte >= 0 && asciiWord[byte] === 1;
}

/** The looks that hold between two bytes, apart from those of Unicode words. */
function byteLooks(previous: number, next: number): number {
  let held = 0;
  if (previous === noByte) held |= looks.textStart | looks.lineStart | looks.lineStartCrlf;
  else if (previous === 10) held |= looks.lineStart | looks.lineStartCrlf;
  else if (previous === 13 && next !== 10) held |= looks.lineStartCrlf;
  if (next === noByte) held |= looks.textEnd | looks.lineEnd | looks.lineEndCrlf;
  else if (next === 10) held |= previous === 13 ? looks.lineEnd : looks.lineEnd | looks.lineEndCrlf;
  else if (next === 13) held |= looks.lineEndCrlf;
  if (next !== 0x2e) held |= looks.notDot;
  const before = isAsciiWord(previous);
  const after = isAsciiWord(next);
  held |= before === after ? looks.notAsciiWord : looks.asciiWord | (before ? looks.asciiWordEnd : looks.asciiWordStart);
  if (!before) held |= looks.asciiHalfStart;
  if (!after) held |= looks.asciiHalfEnd;
  return held;
}

/**
 * The looks that can hold between two bytes: exact where both are ASCII; beside a byte beyond ASCII every Unicode word
 * look counts as holding, and who relies on one has to look again with `exactLooks`.
 */
export function possibleLooks(previous: number, next: number): number {
  if (previous >= 0x80 || next >= 0x80) return byteLooks(previous, next) | unicodeLooks;
  return byteLooks(previous, next) | wordLooks(isAsciiWord(previous) ? "word" : "other", isAsciiWord(next) ? "word" : "other");
}

/** The looks that hold before `at`, in a text that lies in `bytes` from `from` to `to`. */
export function exactLooks(bytes: Uint8Array, from: number, to: number, at: number): number {
  const previous = at > from ? bytes[at - 1]! : noByte;
  const next = at < to ? bytes[at]! : noByte;
  if (previous < 0x80 && next < 0x80) return possibleLooks(previous, next);
  return byteLooks(previous, next) | wordLooks(neighbourBefore(bytes, from, at), neighbourAfter(bytes, to, at));
}

function wordLooks(before: Neighbour, after: Neighbour): number {
  const wordBefore = before === "word";
  const wordAfter = after === "word";
  let held = 0;
  if (wordBefore !== wordAfter) held |= looks.unicodeWord | (wordBefore ? looks.unicodeWordEnd : looks.unicodeWordStart);
  else if (before !== "invalid" && after !== "invalid") held |= looks.notUnicodeWord;
  if (before === "other") held |= looks.unicodeHalfStart;
  if (after === "other") held |= looks.unicodeHalfEnd;
  return held;
}

function neighbourBefore(bytes: Uint8Array, from: number, at: number): Neighbour {
  if (at <= from) return "other";
  let start = at - 1;
  while (start > from && at - start < 4 && (bytes[start]! & 0xc0) === 0x80) start -= 1;
  const [point, length] = decode(bytes, start, at);
  if (length !== at - start) return "invalid";
  return contains(wordRanges, point) ? "word" : "other";
}

function neighbourAfter(bytes: Uint8Array, to: number, at: number): Neighbour {
  if (at >= to) return "other";
  const [point, length] = decode(bytes, at, to);
  if (length === 0) return "invalid";
  return contains(wordRanges, point) ? "word" : "other";
}

/** One code point and its length, which is 0 where the bytes are not UTF-8. */
function decode(bytes: Uint8Array, at: number, to: number): readonly [number, number] {
  const lead = bytes[at]!;
  if (lead < 0x80) return [lead, 1];
  const length = lead >= 0xf5 ? 0 : lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc2 ? 2 : 0;
  if (length === 0 || at + length > to) return [0, 0];
  let point = lead & (0xff >> (length + 1));
  for (let index = 1; index < length; index += 1) {
    const byte = bytes[at + index]!;
    if ((byte & 0xc0) !== 0x80) return [0, 0];
    point = point * 64 + (byte & 0x3f);
  }
  const least = [0, 0, 0x80, 0x800, 0x10000][length]!;
  const valid = point >= least && point <= 0x10ffff && (point < 0xd800 || point > 0xdfff);
  return valid ? [point, length] : [0, 0];
}
