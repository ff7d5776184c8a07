import { NamePatterns } from "./name-patterns.ts";
import { plainText } from "./pattern-segments.ts";

type Part = "**" | { fits(name: string): boolean };

/** A pattern over the segments of what follows a text in a path, where `**` stands for any number of them. */
export class PathPattern {
  readonly #prefix: string;
  readonly #parts: readonly Part[];

  constructor(prefix: string, parts: readonly string[]) {
    this.#prefix = prefix;
    this.#parts = parts.map((part) => (part === "**" ? part : namePart(part)));
  }

  /**
   * At a mismatch only the last `**` grows: those before it need not, so the time is at most the product of the
   * lengths.
   *
   * @param name what stands behind the path's last slash: most paths fail there
   */
  matches(path: string, name: string): boolean {
    if (!path.startsWith(this.#prefix)) return false;
    const last = this.#parts.at(-1);
    if (last !== "**" && path.length - name.length >= this.#prefix.length && last?.fits(name) === false) return false;
    const names = path.slice(this.#prefix.length).split("/");
    const parts = this.#parts;
    let part = 0;
    let at = 0;
    let deep = -1;
    let deepEnd = 0;
    while (at < names.length) {
      const next = parts[part];
      if (next === "**") {
        deep = part;
        deepEnd = at;
        part += 1;
      } else if (next?.fits(names[at]!) === true) {
        part += 1;
        at += 1;
      } else if (deep !== -1) {
        deepEnd += 1;
        at = deepEnd;
        part = deep + 1;
      } else return false;
    }
    while (parts[part] === "**") part += 1;
    return part === parts.length;
  }
}

function namePart(pattern: string): Part {
  const text = plainText(pattern);
  if (text !== undefined) return { fits: (name) => name === text };
  const patterns = new NamePatterns([{ pattern, directoriesOnly: false, line: 0 }]);
  return { fits: (name) => (name === "" ? pattern === "*" : patterns.lastMatch(name, false) !== undefined) };
}
