import type { Ranges } from "./unicode/ranges.ts";

/**
 * A pattern after all flags and names are resolved: what it matches, and nothing of how it was written.
 * A literal is a concatenation of one-element classes.
 */
export type Hir =
  | { readonly kind: "empty" }
  /** One code point of `ranges`, as UTF-8. Empty ranges match nothing. */
  | { readonly kind: "class"; readonly ranges: Ranges }
  /** One byte of `ranges`, whatever the encoding: what `(?-u)` gives. */
  | { readonly kind: "bytes"; readonly ranges: Ranges }
  | { readonly kind: "look"; readonly look: Look }
  | { readonly kind: "concat"; readonly parts: readonly Hir[] }
  | { readonly kind: "alternate"; readonly parts: readonly Hir[] }
  | { readonly kind: "repeat"; readonly part: Hir; readonly min: number; readonly max: number; readonly greedy: boolean };

/** Conditions on the place between two bytes. Each is one bit, so that a set of them is a number. */
export const looks = {
  textStart: 1,
  textEnd: 2,
  lineStart: 4,
  lineEnd: 8,
  /** The `R` flag: `\r\n`, `\r` and `\n` each end a line. */
  lineStartCrlf: 16,
  lineEndCrlf: 32,
  asciiWord: 64,
  notAsciiWord: 128,
  unicodeWord: 256,
  notUnicodeWord: 512,
  asciiWordStart: 1024,
  asciiWordEnd: 2048,
  unicodeWordStart: 4096,
  unicodeWordEnd: 8192,
  asciiHalfStart: 16384,
  asciiHalfEnd: 32768,
  unicodeHalfStart: 65536,
  unicodeHalfEnd: 131072,
  /** The next byte is not `.`: how a glob's wildcard refuses to begin with a hidden name. */
  notDot: 262144,
} as const;

export type Look = (typeof looks)[keyof typeof looks];

/** Looks that need the characters around a place, not only its bytes. */
export const unicodeLooks =
  looks.unicodeWord | looks.notUnicodeWord | looks.unicodeWordStart | looks.unicodeWordEnd | looks.unicodeHalfStart | looks.unicodeHalfEnd;

export const emptyHir: Hir = { kind: "empty" };

export function concat(parts: readonly Hir[]): Hir {
  if (parts.length > 1 && parts.every(({ kind }) => kind !== "concat" && kind !== "empty")) return { kind: "concat", parts };
  const flat = parts.flatMap((part) => (part.kind === "concat" ? part.parts : part.kind === "empty" ? [] : [part]));
  return flat.length === 1 ? flat[0]! : flat.length === 0 ? emptyHir : { kind: "concat", parts: flat };
}

export function alternate(parts: readonly Hir[]): Hir {
  return parts.length === 1 ? parts[0]! : { kind: "alternate", parts };
}

/** The text itself, character by character. */
export function literal(text: string): Hir {
  return concat(Array.from(text, (character): Hir => {
    const point = character.codePointAt(0) ?? 0;
    return { kind: "class", ranges: [point, point] };
  }));
}
