import type { Meter } from "../../regex/automata/meter.ts";
import { longestComparedBytes, requiredLiteral, type RequiredLiteral } from "../../regex/literals.ts";
import type { Regex } from "../../regex/regex.ts";
import { requiredWindows } from "../../regex/required-windows.ts";
import { lineEnd, lineStart } from "./lines.ts";
import { LongLiteral } from "./long-literal.ts";
import { scanGaveUp, WindowScanner } from "./window-scanner.ts";

/** After so many false hits it is asked whether looking for something first still pays. */
const judgedAfter = 32;

/** What occurs more often than this, in bytes, without a match costs more than it saves. */
const leastBytesAFalseHit = 200;

/** A needle that is not in its literal costs so much less than a line that does not match. */
const needlesAFalseHit = 4;

/** Windows take more time than a literal: they must be so much rarer. */
const windowsPayFrom = 0.1;

/** Finds the next line that matches. Sets its fields instead of returning an object: it runs once a line. */
export class LineFinder {
  readonly #regex: Regex;
  readonly #meter: Meter;
  readonly #literal: RequiredLiteral | undefined;
  readonly #needle: Buffer;
  readonly #longLiteral: LongLiteral | undefined;
  readonly #windows: WindowScanner | undefined;
  #usesLiteral = false;
  #usesWindows = false;
  #falseHits = 0;
  #lookedAt = 0;
  /** Of the line found: where it begins, where it ends without its line break, and a place in or just behind its first match. */
  start = 0;
  end = 0;
  hit = 0;

  constructor(regex: Regex, meter: Meter) {
    this.#regex = regex;
    this.#meter = meter;
    const literal = requiredLiteral(regex.hir);
    const windows = literal?.whole === true ? undefined : requiredWindows(regex.hir);
    if (windows && windows.rate < windowsPayFrom * (literal?.rate ?? 1)) this.#windows = WindowScanner.of(windows);
    this.#literal = this.#windows ? undefined : literal;
    this.#needle = Buffer.from(this.#literal?.needle ?? []);
    if (this.#literal?.whole && this.#literal.bytes.length > longestComparedBytes) this.#longLiteral = new LongLiteral(this.#literal, meter);
  }

  /** Before each file: whether it pays to look for something first is judged anew. */
  reset(): void {
    this.#usesLiteral = this.#literal !== undefined;
    this.#usesWindows = this.#windows !== undefined;
    this.#windows?.reset();
    this.#falseHits = 0;
    this.#lookedAt = 0;
  }

  /** @param text whole lines; @param at the start of a line */
  next(text: Buffer, at: number): boolean {
    if (this.#longLiteral) return this.#nextByLongLiteral(text, at, this.#longLiteral);
    if (this.#literal && this.#usesLiteral) return this.#nextByLiteral(text, at, this.#literal);
    return this.#windows && this.#usesWindows ? this.#nextByWindows(text, at, this.#windows) : this.#nextByAutomaton(text, at);
  }

  #nextByLiteral(text: Buffer, from: number, literal: RequiredLiteral): boolean {
    for (let at = from; at < text.length; ) {
      const found = text.indexOf(this.#needle, at);
      if (found === -1) return false;
      let next = found + 1;
      let cost = 1;
      if (stands(literal, text, from, found)) {
        if (literal.whole) return this.#takeWhole(text, from, found - literal.needleAt, literal.bytes.length);
        // The line may have begun before `at`: a needle outside of its literal is passed within a line.
        if (this.#lineMatches(text, from, found)) return true;
        next = this.end + 1;
        cost = needlesAFalseHit;
      }
      if (!this.#paysAfterFalseHit(next - at, cost)) {
        this.#usesLiteral = false;
        return this.#nextByAutomaton(text, lineStart(text, next, from));
      }
      at = next;
      this.#meter();
    }
    return false;
  }

  #nextByLongLiteral(text: Buffer, from: number, literal: LongLiteral): boolean {
    const begin = literal.indexIn(text, from);
    return begin !== -1 && this.#takeWhole(text, from, begin, literal.length);
  }

  #nextByWindows(text: Buffer, from: number, windows: WindowScanner): boolean {
    for (let at = from; at < text.length; ) {
      const found = windows.next(text, at, this.#meter);
      if (found === -1) return false;
      const gaveUp = found === scanGaveUp;
      if (!gaveUp && this.#lineMatches(text, at, found)) return true;
      const next = gaveUp ? at : this.end + 1;
      if (gaveUp || !this.#paysAfterFalseHit(next - at, needlesAFalseHit)) {
        this.#usesWindows = false;
        return this.#nextByAutomaton(text, next);
      }
      at = next;
      this.#meter();
    }
    return false;
  }

  /** Takes note of a place where nothing matched, so many bytes behind the one before: whether looking for such places still pays. */
  #paysAfterFalseHit(bytes: number, cost: number): boolean {
    this.#lookedAt += bytes;
    this.#falseHits += cost;
    return this.#falseHits < judgedAfter * needlesAFalseHit || this.#lookedAt * needlesAFalseHit >= leastBytesAFalseHit * this.#falseHits;
  }

  /** The match is the literal that stands at `begin`. */
  #takeWhole(text: Buffer, from: number, begin: number, length: number): true {
    this.start = lineStart(text, begin, from);
    this.end = lineEnd(text, begin, text.length);
    this.hit = begin + length;
    return true;
  }

  /** Whether the line that holds `found` matches. */
  #lineMatches(text: Buffer, from: number, found: number): boolean {
    this.start = lineStart(text, found, from);
    this.end = lineEnd(text, found, text.length);
    this.hit = this.#endOfMatch(text, this.start, this.end);
    return this.hit !== -1;
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

/** Whether the whole literal stands around the needle at `found`. */
function stands({ bytes, needle, needleAt }: RequiredLiteral, text: Buffer, from: number, found: number): boolean {
  const begin = found - needleAt;
  if (begin < from || begin + bytes.length > text.length) return false;
  if (bytes.length === needle.length) return true;
  for (let index = 0; index < bytes.length; index += 1) if (text[begin + index] !== bytes[index]) return false;
  return true;
}
