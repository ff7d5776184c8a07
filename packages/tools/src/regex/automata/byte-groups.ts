import { looks, unicodeLooks } from "../hir.ts";
import { isAsciiWord } from "./place.ts";
import type { Program } from "./program.ts";

/** Byte → the number of its group: bytes of one group lead to the same state from every state. */
export function byteGroups(program: Program): Uint8Array {
  const borders = new Uint8Array(257);
  const automata = new Set(program.classes.map(({ automaton }) => automaton));
  for (const { next } of automata) {
    for (let index = 1; index < next.length; index += 1) if (next[index] !== next[index - 1] && (index & 255) !== 0) borders[index & 255] = 1;
  }
  const asked = program.looks;
  if ((asked & ~looks.notDot) !== 0) {
    for (const byte of [10, 13]) {
      borders[byte] = 1;
      borders[byte + 1] = 1;
    }
  }
  const wordLooks = unicodeLooks | looks.asciiWord | looks.notAsciiWord | looks.asciiWordStart | looks.asciiWordEnd | looks.asciiHalfStart | looks.asciiHalfEnd;
  if ((asked & wordLooks) !== 0) {
    borders[0x80] = 1;
    for (let byte = 1; byte < 128; byte += 1) if (isAsciiWord(byte) !== isAsciiWord(byte - 1)) borders[byte] = 1;
  }
  if ((asked & looks.notDot) !== 0) {
    borders[0x2e] = 1;
    borders[0x2f] = 1;
  }
  const groups = new Uint8Array(256);
  let group = 0;
  for (let byte = 0; byte < 256; byte += 1) {
    if (borders[byte] === 1) group += 1;
    groups[byte] = group;
  }
  return groups;
}
