import { rejected } from "./profile-error.ts";

export type Expression = Atom | StringLiteral | RegexLiteral | List;

export interface Atom {
  readonly type: "atom";
  readonly name: string;
}

export interface StringLiteral {
  readonly type: "string";
  readonly value: string;
}

/** `#"…"`: taken as it stands, without escapes. */
export interface RegexLiteral {
  readonly type: "regex";
  readonly source: string;
}

export interface List {
  readonly type: "list";
  readonly items: readonly Expression[];
}

/** String literals of this length in bytes, or longer, are not loaded. */
const maxLiteralBytes = 1000;

/** The expressions of a profile's text, outermost first. */
export function parseExpressions(text: string): readonly Expression[] {
  const reader = new Reader(text);
  const found: Expression[] = [];
  for (reader.skipBlanks(); !reader.atEnd; reader.skipBlanks()) found.push(reader.expression());
  return found;
}

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get atEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  /** Blanks and comments, which run from `;` to the end of the line. */
  skipBlanks(): void {
    const match = /^(?:\s|;[^\n]*)*/.exec(this.#text.slice(this.#at));
    this.#at += match?.[0].length ?? 0;
  }

  expression(): Expression {
    const rest = this.#text.slice(this.#at);
    if (rest.startsWith("(")) return this.#list();
    if (rest.startsWith(")")) throw rejected("a closing parenthesis too many");
    if (rest.startsWith('#"')) return this.#regex();
    if (rest.startsWith('"')) return this.#string();
    const name = /^[^\s()";]+/.exec(rest)?.[0];
    if (name === undefined) throw rejected(`cannot read ${rest.slice(0, 20)}`);
    this.#at += name.length;
    return { type: "atom", name };
  }

  #list(): List {
    this.#at += 1;
    const items: Expression[] = [];
    for (this.skipBlanks(); this.#text[this.#at] !== ")"; this.skipBlanks()) {
      if (this.atEnd) throw rejected("a parenthesis is not closed");
      items.push(this.expression());
    }
    this.#at += 1;
    return { type: "list", items };
  }

  #regex(): RegexLiteral {
    const end = this.#text.indexOf('"', this.#at + 2);
    if (end === -1) throw rejected("a regex literal is not closed");
    const source = this.#text.slice(this.#at + 2, end);
    this.#at = end + 1;
    refuseLong(source);
    return { type: "regex", source };
  }

  #string(): StringLiteral {
    const match = /^"((?:[^"\\]|\\[\s\S])*)"/.exec(this.#text.slice(this.#at));
    if (!match) throw rejected("a string is not closed");
    this.#at += match[0].length;
    const value = (match[1] ?? "").replace(/\\([\s\S])/g, "$1");
    refuseLong(value);
    return { type: "string", value };
  }
}

function refuseLong(value: string): void {
  if (Buffer.byteLength(value) >= maxLiteralBytes) throw rejected(`a string literal of ${Buffer.byteLength(value)} bytes`);
}
