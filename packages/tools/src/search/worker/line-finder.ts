import type { Meter } from "../../regex/automata/meter.ts";
import { requiredLiteral, type RequiredLiteral } from "../../regex/literals.ts";
import type { Regex } from "../../regex/regex.ts";
import { lineEnd, lineStart } from "./lines.ts";

/** Lines of which the literal occurs without a match, after which the pace is judged. */
const judgedAfter = 32;

/** A literal that occurs more often than this, in bytes, without a match costs more than it saves. */
const leastBytesAFalseHit = 200;

/** Finds the next line that matches. Sets its fields instead of returning an object: it runs once a line. */
export class LineFinder {
  readonly #regex: Regex;
  readonly #literal: RequiredLiteral | undefined;
  readonly #needle: Buffer;
  readonly #meter: Meter;
  #usesLiteral = false;
  #falseHits = 0;
  #lookedAt = 0;
  /** Of the line found: where it begins, where it ends without its line break, and a place in or just behind its first match. */
  start = 0;
  end = 0;
  hit = 0;

  constructor(regex: Regex, meter: Meter) {
    this.#regex = regex;
    this.#literal = requiredLiteral(regex.hir);
    this.#needle = Buffer.from(this.#literal?.needle ?? []);
    this.#meter = meter;
  }

  /** Before each file: whether the literal pays is judged anew. */
  reset(): void {
    this.#usesLiteral = this.#literal !== undefined;
    this.#falseHits = 0;
    this.#lookedAt = 0;
  }

  /** @param text whole lines; @param at the start of a line */
  next(text: Buffer, at: number): boolean {
    return this.#usesLiteral ? this.#nextByLiteral(text, at) : this.#nextByAutomaton(text, at);
  }

  #nextByLiteral(text: Buffer, from: number): boolean {
    const whole = this.#literal?.whole;
    let at = from;
    while (at < text.length) {
      const found = text.indexOf(this.#needle, at);
      if (found === -1) return false;
      const next = whole ? this.#atWhole(text, from, found, whole) : this.#atLineOf(text, at, found);
      if (next === -1) return true;
      this.#lookedAt += next - at;
      this.#falseHits += 1;
      at = next;
      if (this.#falseHits >= judgedAfter && this.#lookedAt < leastBytesAFalseHit * this.#falseHits) {
        this.#usesLiteral = false;
        return this.#nextByAutomaton(text, lineStart(text, at, from));
      }
      this.#meter();
    }
    return false;
  }

  /** Where to look on; -1 where the whole literal stands around its needle. */
  #atWhole(text: Buffer, from: number, found: number, { bytes, needleAt }: { readonly bytes: Uint8Array; readonly needleAt: number }): number {
    const begin = found - needleAt;
    if (begin < from || begin + bytes.length > text.length) return found + 1;
    for (let index = 0; index < bytes.length; index += 1) if (text[begin + index] !== bytes[index]) return found + 1;
    this.start = lineStart(text, begin, from);
    this.end = lineEnd(text, found, text.length);
    this.hit = begin + bytes.length;
    return -1;
  }

  /** Where to look on; -1 where the line of the needle matches. */
  #atLineOf(text: Buffer, from: number, found: number): number {
    this.start = lineStart(text, found, from);
    this.end = lineEnd(text, found, text.length);
    this.hit = this.#endOfMatch(text, this.start, this.end);
    return this.hit === -1 ? this.end + 1 : -1;
  }

  #nextByAutomaton(text: Buffer, from: number): boolean {
    let at = from;
    while (at < text.length) {
      const found = this.#regex.findEnd(text, at, text.length, this.#meter);
      if (found === -1 || (found === text.length && text[found - 1] === 10)) return false;
      this.start = lineStart(text, found, at);
      this.end = lineEnd(text, found, text.length);
      this.hit = this.#confirm(text, found);
      if (this.hit !== -1) return true;
      at = this.end + 1;
    }
    return false;
  }

  /** The line break belongs to what is looked at: a look at the line's end asks for it. */
  #endOfMatch(text: Buffer, start: number, end: number): number {
    const found = this.#regex.findEnd(text, start, Math.min(end + 1, text.length), this.#meter);
    return found === -1 || found > end ? -1 : this.#confirm(text, found);
  }

  #confirm(text: Buffer, found: number): number {
    const sure = this.#regex.confirm(text, this.start, Math.min(this.end + 1, text.length), found, this.#meter);
    return sure > this.end ? -1 : sure;
  }
}
