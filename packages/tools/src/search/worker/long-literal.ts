import { bytesBetweenQuestions, type Meter } from "../../regex/automata/meter.ts";
import type { RequiredLiteral } from "../../regex/literals.ts";

/**
 * Finds a literal too long to be compared wherever its needle stands: no byte is compared more than twice, however the
 * literal repeats itself (Knuth, Morris and Pratt's way). Where nothing of it stands, the needle is looked for.
 */
export class LongLiteral {
  readonly #literal: RequiredLiteral;
  readonly #needle: Buffer;
  readonly #meter: Meter;
  /** How many bytes of the literal → how many of them, at most and less than all, are its beginning as well as their end. */
  readonly #borders: Int32Array;

  constructor(literal: RequiredLiteral, meter: Meter) {
    const { bytes, needle } = literal;
    this.#literal = literal;
    this.#needle = Buffer.from(needle);
    this.#meter = meter;
    this.#borders = new Int32Array(bytes.length + 1);
    for (let length = 2, border = 0; length <= bytes.length; length += 1) {
      while (border > 0 && bytes[border] !== bytes[length - 1]) border = this.#borders[border]!;
      if (bytes[border] === bytes[length - 1]) border += 1;
      this.#borders[length] = border;
    }
  }

  /** In bytes. */
  get length(): number {
    return this.#literal.bytes.length;
  }

  /** Where it begins, at or after `from`; -1 if nowhere. */
  indexIn(text: Buffer, from: number): number {
    const { bytes, needleAt } = this.#literal;
    let askAt = from + bytesBetweenQuestions;
    for (let at = from, standing = 0; at < text.length; ) {
      if (at >= askAt) {
        askAt = at + bytesBetweenQuestions;
        this.#meter();
      }
      if (standing === 0) {
        const needle = text.indexOf(this.#needle, at + needleAt);
        if (needle === -1) return -1;
        at = needle - needleAt;
      }
      while (standing > 0 && bytes[standing] !== text[at]) standing = this.#borders[standing]!;
      if (bytes[standing] === text[at]) standing += 1;
      at += 1;
      if (standing === bytes.length) return at - standing;
    }
    return -1;
  }
}
