import { parseRule, type IgnoreRule } from "./parse-rule.ts";
import { matchesPath, matchesSegment } from "./wildcard.ts";

/** What an ignore file says about an entry; undefined: nothing. */
export type IgnoreVerdict = "ignored" | "kept" | undefined;

interface Placed extends IgnoreRule {
  /** Later lines win. */
  readonly line: number;
}

/**
 * The rules of one ignore file. Plain names, `*.ext` and plain paths are found in maps, so that a directory with
 * thousands of entries does not ask every rule about each.
 */
export class IgnoreRules {
  readonly #names = new Map<string, Placed[]>();
  readonly #suffixes = new Map<string, Placed[]>();
  readonly #paths = new Map<string, Placed[]>();
  readonly #patterns: Placed[] = [];
  readonly #suffixStarts = new Set<string>();

  constructor(text: string) {
    text
      .replace(/^\uFEFF/u, "")
      .split("\n")
      .forEach((line, index) => {
        const rule = parseRule(line.endsWith("\r") ? line.slice(0, -1) : line);
        if (rule) this.#add({ ...rule, line: index });
      });
    this.#patterns.reverse();
  }

  get empty(): boolean {
    return this.#names.size + this.#suffixes.size + this.#paths.size + this.#patterns.length === 0;
  }

  /** @param path the entry's path below the ignore file's directory; asked for only where a rule needs it */
  judge(name: string, path: () => string, isDirectory: boolean): IgnoreVerdict {
    let best = newest(this.#names.get(name), isDirectory);
    if (this.#suffixes.size > 0) best = later(best, this.#judgeSuffix(name, isDirectory));
    if (this.#paths.size > 0) best = later(best, newest(this.#paths.get(path()), isDirectory));
    for (const rule of this.#patterns) {
      if (best && rule.line < best.line) break;
      if ((isDirectory || !rule.directoriesOnly) && matches(rule, name, path)) {
        best = rule;
        break;
      }
    }
    return best && (best.negated ? "kept" : "ignored");
  }

  #judgeSuffix(name: string, isDirectory: boolean): Placed | undefined {
    let best: Placed | undefined;
    for (let at = 0; at < name.length; at += 1) {
      if (this.#suffixStarts.has(name[at]!)) best = later(best, newest(this.#suffixes.get(name.slice(at)), isDirectory));
    }
    return best;
  }

  #add(rule: Placed): void {
    const { shape } = rule;
    switch (shape.kind) {
      case "name":
        return put(this.#names, shape.name, rule);
      case "suffix":
        this.#suffixStarts.add(shape.suffix[0]!);
        return put(this.#suffixes, shape.suffix, rule);
      case "path":
        return put(this.#paths, shape.path, rule);
      default:
        this.#patterns.push(rule);
    }
  }
}

function put(map: Map<string, Placed[]>, key: string, rule: Placed): void {
  const rules = map.get(key);
  if (rules) rules.push(rule);
  else map.set(key, [rule]);
}

function newest(rules: readonly Placed[] | undefined, isDirectory: boolean): Placed | undefined {
  return rules?.findLast((rule) => isDirectory || !rule.directoriesOnly);
}

function later(left: Placed | undefined, right: Placed | undefined): Placed | undefined {
  if (!left || !right) return left ?? right;
  return left.line > right.line ? left : right;
}

function matches({ shape }: Placed, name: string, path: () => string): boolean {
  if (shape.kind === "name-pattern") return matchesSegment(shape.tokens, Array.from(name));
  return shape.kind === "path-pattern" && matchesPath(shape.parts, path().split("/").map((segment) => Array.from(segment)));
}
