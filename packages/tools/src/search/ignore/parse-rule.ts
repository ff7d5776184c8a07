import { patternSegments, plainText } from "./pattern-segments.ts";

/** One line of an ignore file, as bytes, one a character. */
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
  | { readonly kind: "name-pattern"; readonly pattern: string }
  /** Compared with the path below the ignore file's directory. */
  | { readonly kind: "path"; readonly path: string }
  | { readonly kind: "path-pattern"; readonly prefix: string; readonly parts: readonly string[] };

/** Undefined for blank lines, comments, and patterns that match nothing. To git a line ends at a NUL. */
export function parseRule(line: string): IgnoreRule | undefined {
  if (line.startsWith("#")) return undefined;
  const nul = line.indexOf("\0");
  let text = trimTrailingSpaces(nul === -1 ? line : line.slice(0, nul));
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
  const segment = patternSegments(text)?.[0];
  if (segment === undefined) return undefined;
  const name = plainText(segment);
  if (name !== undefined) return { kind: "name", name };
  const suffix = segment.startsWith("*") ? plainText(segment.slice(1)) : undefined;
  return suffix === undefined || suffix === "" ? { kind: "name-pattern", pattern: segment === "**" ? "*" : segment } : { kind: "suffix", suffix };
}

function pathShape(text: string): RuleShape | undefined {
  const prefix = textBeforeStars(text);
  const parts = patternSegments(text.slice(prefix.length));
  if (!parts) return undefined;
  const texts = parts.map(plainText);
  if (!texts.includes(undefined)) return { kind: "path", path: texts.join("/") };
  // `a/**` is what lies below a, and not a itself.
  return { kind: "path-pattern", prefix, parts: parts.at(-1) === "**" && parts.length > 1 ? [...parts, "*"] : parts };
}

/**
 * Git compares the text before the first wildcard by itself. In `a**`, before a slash, the stars so stand at the start of
 * what is left and match across slashes, as they would not behind another wildcard.
 */
function textBeforeStars(pattern: string): string {
  return /^([^*?[\\]*[^*?[\\/])\*{2,}(?:\\?\/|$)/u.exec(pattern)?.[1] ?? "";
}
