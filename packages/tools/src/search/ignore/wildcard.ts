/** One element of a pattern of git's, between two slashes. */
export type Token =
  | { readonly kind: "literal"; readonly character: string }
  | { readonly kind: "any" }
  | { readonly kind: "star" }
  | { readonly kind: "set"; readonly negated: boolean; readonly includes: (character: string) => boolean };

/**
 * Whether a name matches the tokens of one path segment. At a mismatch only the last star grows: the others need not,
 * so the time is at most the product of the lengths.
 */
export function matchesSegment(tokens: readonly Token[], name: readonly string[]): boolean {
  return matchesGreedily(tokens.length, name.length, (token) => tokens[token]?.kind === "star", (token, at) => accepts(tokens[token]!, name[at]!));
}

/** The same over whole segments, where `**` stands for any number of them. */
export function matchesPath(pattern: readonly (readonly Token[] | "**")[], path: readonly (readonly string[])[]): boolean {
  return matchesGreedily(pattern.length, path.length, (part) => pattern[part] === "**", (part, at) => segmentFits(pattern[part], path[at]!));
}

function segmentFits(part: readonly Token[] | "**" | undefined, name: readonly string[]): boolean {
  return typeof part === "object" && matchesSegment(part, name);
}

function matchesGreedily(patternLength: number, textLength: number, isStar: (index: number) => boolean, fits: (index: number, at: number) => boolean): boolean {
  let part = 0;
  let at = 0;
  let star = -1;
  let starEnd = 0;
  while (at < textLength) {
    if (part < patternLength && isStar(part)) {
      star = part;
      starEnd = at;
      part += 1;
    } else if (part < patternLength && fits(part, at)) {
      part += 1;
      at += 1;
    } else if (star !== -1) {
      starEnd += 1;
      at = starEnd;
      part = star + 1;
    } else return false;
  }
  while (part < patternLength && isStar(part)) part += 1;
  return part === patternLength;
}

function accepts(token: Token, character: string): boolean {
  if (token.kind === "literal") return token.character === character;
  return token.kind === "any" || (token.kind === "set" && token.includes(character) !== token.negated);
}
