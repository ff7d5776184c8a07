import { PatternError } from "../pattern-error.ts";
import type { Ranges } from "../unicode/ranges.ts";

const verboseSpace = /^[\t\n\v\f\r \u0085\u200e\u200f\u2028\u2029]$/u;

/** So many numbers are gone through to make the classes of one pattern: 1,300 classes that each add something to `\\w`. */
const maxClassInts = 2_000_000;

/** Each costs a pass through all of Unicode when it is first met. */
const maxProperties = 200;

/** A pattern read character by character. */
export class Reader {
  readonly #characters: readonly string[];
  readonly #properties = new Set<Ranges>();
  #classInts = 0;
  at = 0;

  constructor(pattern: string) {
    this.#characters = Array.from(pattern);
  }

  get done(): boolean {
    return this.at >= this.#characters.length;
  }

  peek(ahead = 0): string {
    return this.#characters[this.at + ahead] ?? "";
  }

  next(): string {
    const character = this.peek();
    this.at += 1;
    return character;
  }

  /** Takes `text`, which is ASCII, if it comes next. */
  take(text: string): boolean {
    if (!this.sees(text)) return false;
    this.at += text.length;
    return true;
  }

  sees(text: string): boolean {
    for (let index = 0; index < text.length; index += 1) if (this.peek(index) !== text[index]) return false;
    return true;
  }

  /** Everything up to `end`, which is consumed too; undefined, and nothing consumed, where it does not come. */
  takeUntil(end: string): string | undefined {
    const close = this.#characters.indexOf(end, this.at);
    if (close === -1) return undefined;
    const text = this.#characters.slice(this.at, close).join("");
    this.at = close + 1;
    return text;
  }

  /** Everything that is one of `characters`. */
  takeAll(characters: string): string {
    const start = this.at;
    while (!this.done && characters.includes(this.peek())) this.at += 1;
    return this.#characters.slice(start, this.at).join("");
  }

  /** Under the `x` flag, blanks and comments mean nothing. */
  skipBlank(verbose: boolean): void {
    if (!verbose) return;
    for (;;) {
      if (verboseSpace.test(this.peek())) this.at += 1;
      else if (this.peek() === "#") while (!this.done && this.next() !== "\n");
      else return;
    }
  }

  /** Takes note of work on classes, in numbers gone through. */
  spend(classInts: number): void {
    this.#classInts += classInts;
    if (this.#classInts > maxClassInts) this.fail("the pattern has too many large classes such as [\\w-]; use fewer of them, or plain ones such as [a-z-]");
  }

  /** Takes note of a Unicode property that the pattern uses. */
  uses(property: Ranges): void {
    this.#properties.add(property);
    if (this.#properties.size > maxProperties) this.fail(`the pattern uses more than ${maxProperties} different Unicode properties; use fewer`);
  }

  fail(what: string, from = this.at): never {
    throw new PatternError(`${what} (at character ${from + 1} of the pattern)`);
  }
}
