import { NamePatterns, type NamePattern } from "./name-patterns.ts";
import { parseRule, type IgnoreRule } from "./parse-rule.ts";
import { PathPattern } from "./path-pattern.ts";

/** What an ignore file says about an entry; undefined: nothing. */
export type IgnoreVerdict = "ignored" | "kept" | undefined;

/** A file with more rules that hold wildcards is not obeyed: each would be asked about every name. */
const maxPatternRules = 5000;

/** About what a rule takes of memory. */
const bytesARule = 400;

/** About what each of its parts that holds a wildcard takes besides. */
const bytesAPattern = 2000;

/** About what each byte of such a part takes. */
const bytesAPatternByte = 100;

interface Placed extends IgnoreRule {
  /** Later lines win. */
  readonly line: number;
}

/**
 * The rules of one ignore file. Plain names, `*.ext` and plain paths are found in maps, so that a directory with
 * thousands of entries does not ask every rule about each; the rest is the package's to judge. Everything here is
 * bytes, one a character.
 */
export class IgnoreRules {
  readonly #names = new Map<string, Placed[]>();
  readonly #suffixes = new Map<string, Placed[]>();
  /** The first and last bytes of suffixes: most names need no closer look. */
  readonly #suffixStarts = new Uint8Array(256);
  readonly #suffixEnds = new Uint8Array(256);
  /** By the last name in them, then by the whole path. */
  readonly #paths = new Map<string, Map<string, Placed[]>>();
  readonly #namePatterns = new Map<number, Placed>();
  readonly #nameJudge: NamePatterns | undefined;
  /** The last line first. */
  readonly #pathPatterns: (Placed & { readonly pattern: PathPattern })[] = [];
  /** About what the rules take of memory, in bytes. */
  readonly bytes: number;

  /** Undefined where there are no rules, or more than may be obeyed: those would be a denial of service. */
  static of(text: string, maxBytes: number): IgnoreRules | undefined {
    const placed: Placed[] = [];
    let patterns = 0;
    let bytes = 0;
    let line = 0;
    for (let at = text.startsWith("\u00EF\u00BB\u00BF") ? 3 : 0; at <= text.length; line += 1) {
      const found = text.indexOf("\n", at);
      const end = found === -1 ? text.length : found;
      const rule = parseRule(text.slice(at, text[end - 1] === "\r" && end > at ? end - 1 : end));
      at = end + 1;
      if (!rule) continue;
      const isPattern = rule.shape.kind === "name-pattern" || rule.shape.kind === "path-pattern";
      if (isPattern) patterns += 1;
      bytes += bytesOf(rule);
      if (bytes > maxBytes || patterns > maxPatternRules) return undefined;
      placed.push({ ...rule, line });
    }
    return placed.length === 0 ? undefined : new IgnoreRules(placed, bytes);
  }

  private constructor(rules: readonly Placed[], bytes: number) {
    this.bytes = bytes;
    const namePatterns: NamePattern[] = [];
    for (const rule of rules) this.#add(rule, namePatterns);
    if (namePatterns.length > 0) this.#nameJudge = new NamePatterns(namePatterns);
    this.#pathPatterns.reverse();
  }

  /** @param begin where in `path` the part below the ignore file's directory begins */
  judge(name: string, path: string, begin: number, isDirectory: boolean): IgnoreVerdict {
    let best = lastApplicable(this.#names.get(name), isDirectory);
    if (this.#suffixes.size > 0) best = later(best, this.#judgeSuffix(name, isDirectory));
    if (this.#paths.size > 0) best = later(best, lastApplicable(this.#paths.get(name)?.get(path.slice(begin)), isDirectory));
    const line = this.#nameJudge?.lastMatch(name, isDirectory);
    if (line !== undefined) best = later(best, this.#namePatterns.get(line));
    if (this.#pathPatterns.length > 0) best = later(best, this.#judgePath(name, path.slice(begin), isDirectory, best?.line ?? -1));
    return best && (best.negated ? "kept" : "ignored");
  }

  #judgePath(name: string, path: string, isDirectory: boolean, after: number): Placed | undefined {
    for (const rule of this.#pathPatterns) {
      if (rule.line < after) return undefined;
      if ((isDirectory || !rule.directoriesOnly) && rule.pattern.matches(path, name)) return rule;
    }
    return undefined;
  }

  #judgeSuffix(name: string, isDirectory: boolean): Placed | undefined {
    if (this.#suffixEnds[name.charCodeAt(name.length - 1)] !== 1) return undefined;
    let best: Placed | undefined;
    for (let at = 0; at < name.length; at += 1) {
      if (this.#suffixStarts[name.charCodeAt(at)] === 1) best = later(best, lastApplicable(this.#suffixes.get(name.slice(at)), isDirectory));
    }
    return best;
  }

  #add(rule: Placed, namePatterns: NamePattern[]): void {
    const { shape, directoriesOnly, line } = rule;
    switch (shape.kind) {
      case "name":
        return put(this.#names, shape.name, rule);
      case "suffix":
        this.#suffixStarts[shape.suffix.charCodeAt(0)] = 1;
        this.#suffixEnds[shape.suffix.charCodeAt(shape.suffix.length - 1)] = 1;
        return put(this.#suffixes, shape.suffix, rule);
      case "path": {
        const name = shape.path.slice(shape.path.lastIndexOf("/") + 1);
        const paths = this.#paths.get(name) ?? new Map<string, Placed[]>();
        this.#paths.set(name, paths);
        return put(paths, shape.path, rule);
      }
      case "name-pattern":
        this.#namePatterns.set(line, rule);
        namePatterns.push({ pattern: shape.pattern, directoriesOnly, line });
        return;
      default:
        this.#pathPatterns.push({ ...rule, pattern: new PathPattern(shape.prefix, shape.parts) });
    }
  }
}

function bytesOf({ shape }: IgnoreRule): number {
  switch (shape.kind) {
    case "name-pattern":
      return bytesARule + bytesAPattern + bytesAPatternByte * shape.pattern.length;
    case "path-pattern":
      return shape.parts.reduce((sum, part) => sum + bytesAPattern + bytesAPatternByte * part.length, bytesARule);
    case "name":
      return bytesARule + shape.name.length;
    case "suffix":
      return bytesARule + shape.suffix.length;
    default:
      return bytesARule + shape.path.length;
  }
}

function put(map: Map<string, Placed[]>, key: string, rule: Placed): void {
  const rules = map.get(key);
  if (rules) rules.push(rule);
  else map.set(key, [rule]);
}

function lastApplicable(rules: readonly Placed[] | undefined, isDirectory: boolean): Placed | undefined {
  return rules?.findLast((rule) => isDirectory || !rule.directoriesOnly);
}

function later(left: Placed | undefined, right: Placed | undefined): Placed | undefined {
  if (!left || !right) return left ?? right;
  return left.line > right.line ? left : right;
}
