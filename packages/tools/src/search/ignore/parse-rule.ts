import { readCharacterSet } from "./character-set.ts";
import type { Token } from "./wildcard.ts";

/** One line of an ignore file. */
export interface IgnoreRule {
  /** The line begins with `!`: it takes back what earlier lines ignore. */
  readonly negated: boolean;
  readonly directoriesOnly: boolean;
  readonly shape: RuleShape;
}

export type RuleShape =
  /** Compared with the entry's own name, at any depth. */
  | { readonly kind: "name"; readonly name: string }
  /** `*.ext`: the entry's name ends so. */
  | { readonly kind: "suffix"; readonly suffix: string }
  | { readonly kind: "name-pattern"; readonly tokens: readonly Token[] }
  /** Compared with the path below the ignore file's directory. */
  | { readonly kind: "path"; readonly path: string }
  | { readonly kind: "path-pattern"; readonly parts: readonly (readonly Token[] | "**")[] };

/** Undefined for blank lines, comments, and patterns that match nothing. */
export function parseRule(line: string): IgnoreRule | undefined {
  if (line.startsWith("#")) return undefined;
  let text = trimTrailingSpaces(line);
  const negated = text.startsWith("!");
  if (negated) text = text.slice(1);
  const directoriesOnly = text.endsWith("/");
  if (directoriesOnly) text = text.slice(0, -1);
  if (text === "") return undefined;
  const shape = text.includes("/") ? pathShape(text.startsWith("/") ? text.slice(1) : text) : nameShape(text);
  return shape && { negated, directoriesOnly, shape };
}

/** A space at the end counts only behind a backslash. */
function trimTrailingSpaces(line: string): string {
  let end = 0;
  for (let at = 0; at < line.length; at += 1) {
    if (line[at] === "\\") {
      at += 1;
      end = Math.min(at + 1, line.length);
    } else if (line[at] !== " ") end = at + 1;
  }
  return line.slice(0, end);
}

function nameShape(text: string): RuleShape | undefined {
  const tokens = readTokens(Array.from(text));
  if (!tokens) return undefined;
  const segment = tokens.filter((token): token is Token => token !== "/");
  const name = literalText(segment);
  if (name !== undefined) return { kind: "name", name };
  const suffix = segment[0]?.kind === "star" ? literalText(segment.slice(1)) : undefined;
  return suffix === undefined || suffix === "" ? { kind: "name-pattern", tokens: segment } : { kind: "suffix", suffix };
}

function pathShape(text: string): RuleShape | undefined {
  const tokens = readTokens(Array.from(text));
  if (!tokens) return undefined;
  const segments: Token[][] = [[]];
  for (const token of tokens) {
    if (token === "/") segments.push([]);
    else segments.at(-1)?.push(token);
  }
  const literals = segments.map(literalText);
  if (!literals.includes(undefined)) return { kind: "path", path: literals.join("/") };
  const parts = segments.map((segment): readonly Token[] | "**" => (segment.length >= 2 && segment.every((token) => token.kind === "star") ? "**" : segment));
  // `a/**` is what lies below a, and not a itself.
  if (parts.at(-1) === "**" && parts.length > 1) parts.push([{ kind: "star" }]);
  return { kind: "path-pattern", parts };
}

function literalText(tokens: readonly Token[]): string | undefined {
  const characters = tokens.map((token) => (token.kind === "literal" ? token.character : undefined));
  return characters.includes(undefined) ? undefined : characters.join("");
}

/** Undefined where git, too, finds that the pattern can match nothing. */
function readTokens(pattern: readonly string[]): (Token | "/")[] | undefined {
  const tokens: (Token | "/")[] = [];
  for (let at = 0; at < pattern.length; ) {
    const character = pattern[at]!;
    at += 1;
    if (character === "/") tokens.push("/");
    else if (character === "*") tokens.push({ kind: "star" });
    else if (character === "?") tokens.push({ kind: "any" });
    else if (character === "\\") {
      const escaped = pattern[at];
      if (escaped === undefined) return undefined;
      at += 1;
      tokens.push(escaped === "/" ? "/" : { kind: "literal", character: escaped });
    } else if (character === "[") {
      const set = readCharacterSet(pattern, at);
      if (!set) return undefined;
      tokens.push(set.token);
      at = set.next;
    } else tokens.push({ kind: "literal", character });
  }
  return tokens;
}
