import { digitDeltas, wordDeltas } from "./tables.generated.ts";
import type { Ranges } from "./ranges.ts";

/** `\w`: letters, marks, decimal digits, connectors and joiners, as Unicode (UTS 18) and Rust define it. */
export const wordRanges: Ranges = decode(wordDeltas);

/** `\d`: decimal digits of every script. */
export const digitRanges: Ranges = decode(digitDeltas);

/** `\s`: White_Space. */
export const spaceRanges: Ranges = [9, 13, 0x20, 0x20, 0x85, 0x85, 0xa0, 0xa0, 0x1680, 0x1680, 0x2000, 0x200a, 0x2028, 0x2029, 0x202f, 0x202f, 0x205f, 0x205f, 0x3000, 0x3000];

export const asciiWordRanges: Ranges = [0x30, 0x39, 0x41, 0x5a, 0x5f, 0x5f, 0x61, 0x7a];
export const asciiDigitRanges: Ranges = [0x30, 0x39];
export const asciiSpaceRanges: Ranges = [9, 13, 0x20, 0x20];

function decode(deltas: string): Ranges {
  let at = 0;
  return deltas.split(" ").map((delta) => (at += Number.parseInt(delta, 36)));
}
