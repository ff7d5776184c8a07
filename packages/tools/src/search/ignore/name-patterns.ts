import ignore, { type Ignore } from "ignore";
import { longestText } from "./pattern-segments.ts";

/** `ignore` remembers every name it was asked about; after so many it starts afresh. */
const maxRememberedNames = 2000;

/** A longer one cannot match a name, and would only take time. */
const maxPatternBytes = 4096;

export interface NamePattern {
  /** Between two slashes, with at most one star in a row. */
  readonly pattern: string;
  readonly directoriesOnly: boolean;
  readonly line: number;
}

/**
 * Git's wildcards, judged by the package `ignore`, which takes time linear in a name: it never comes to see a path,
 * so what it thinks of directories further up, and how it stacks several `**`, does not matter here. Patterns and names
 * are bytes, one a character, as for git: `?` is one byte.
 */
export class NamePatterns {
  readonly #compiled: Ignore;
  /** One of these stands in every name that matches: most names need no closer look. Undefined where a pattern has none. */
  readonly #texts: readonly string[] | undefined;
  #judge: Ignore;
  #asked = 0;

  constructor(patterns: readonly NamePattern[]) {
    const usable = patterns.filter(({ pattern }) => pattern.length <= maxPatternBytes);
    this.#compiled = ignore(options).add(usable.map(({ pattern, directoriesOnly, line }) => ({ pattern: `/${keepEnd(pattern)}${directoriesOnly ? "/" : ""}`, mark: String(line) })));
    this.#judge = this.#compiled;
    const texts = [...new Set(usable.map(({ pattern }) => longestText(pattern)))];
    this.#texts = texts.includes("") ? undefined : texts;
  }

  /** The last line that matches. */
  lastMatch(name: string, isDirectory: boolean): number | undefined {
    if (this.#texts && !this.#texts.some((text) => name.includes(text))) return undefined;
    this.#asked += 1;
    if (this.#asked % maxRememberedNames === 0) this.#judge = ignore(options).add(this.#compiled);
    const mark = this.#judge.test(isDirectory ? `${name}/` : name).rule?.mark;
    return mark === undefined ? undefined : Number(mark);
  }
}

const options = { ignorecase: false };

/** A blank or carriage return at the end would be trimmed. */
function keepEnd(pattern: string): string {
  const [, backslashes = ""] = /(\\*)[ \r]$/u.exec(pattern) ?? [];
  return /[ \r]$/u.test(pattern) && backslashes.length % 2 === 0 ? `${pattern.slice(0, -1)}\\${pattern.slice(-1)}` : pattern;
}
