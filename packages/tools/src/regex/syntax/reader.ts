import { PatternError } from "../pattern-error.ts";

const verboseSpace = /^[\t\n\v\f\r \u0085\u200e\u200f\u2028\u2029]$/u;

/** A pattern read character by character. */
export class Reader {
  readonly #characters: readonly string[];
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

  /** Under the `x` flag, blanks and comments mean nothing. */
  skipBlank(verbose: boolean): void {
    if (!verbose) return;
    for (;;) {
      if (verboseSpace.test(this.peek())) this.at += 1;
      else if (this.peek() === "#") while (!this.done && this.next() !== "\n");
      else return;
    }
  }

  fail(what: string, from = this.at): never {
    throw new PatternError(`${what} (at character ${from + 1} of the pattern)`);
  }
}
