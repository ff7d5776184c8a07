/**
 * The parts of a pattern between its slashes, as git splits it: a backslash takes the next character, and what is
 * between [ and ] is one element. Inside a part several stars are one; a part of nothing but two or more stars is `**`.
 * Undefined where git finds that the pattern can match nothing.
 */
export function patternSegments(pattern: string): readonly string[] | undefined {
  const segments: string[][] = [[]];
  for (let at = 0; at < pattern.length; ) {
    const end = elementEnd(pattern, at);
    if (end === undefined) return undefined;
    const element = pattern.slice(at, end);
    if (element === "/" || element === "\\/") segments.push([]);
    else segments.at(-1)?.push(element);
    at = end;
  }
  return segments.map((elements) => (isDeep(elements) ? "**" : elements.filter((element, index) => element !== "*" || elements[index - 1] !== "*").join("")));
}

/** The text a part stands for; undefined where it has wildcards. */
export function plainText(segment: string): string | undefined {
  const plain = segment.replaceAll(/\\([^])/gu, "$1");
  return /[*?[]/u.test(segment.replaceAll(/\\[^]/gu, "")) ? undefined : plain;
}

/** The longest text that stands in whatever a part matches; "" where there is none. */
export function longestText(segment: string): string {
  let longest = "";
  let run = "";
  for (let at = 0; at < segment.length; ) {
    const end = elementEnd(segment, at) ?? segment.length;
    const isText = segment[at] === "\\" || !"*?[".includes(segment[at]!);
    run = isText ? run + segment.slice(segment[at] === "\\" ? at + 1 : at, end) : "";
    if (run.length > longest.length) longest = run;
    at = end;
  }
  return longest;
}

function isDeep(elements: readonly string[]): boolean {
  return elements.length >= 2 && elements.every((element) => element === "*");
}

function elementEnd(pattern: string, at: number): number | undefined {
  if (pattern[at] === "\\") return at + 1 < pattern.length ? at + 2 : undefined;
  return pattern[at] === "[" ? setEnd(pattern, at + 1) : at + 1;
}

/** Where `[…]` ends: its first member may be a `]`, and so may what is behind a backslash or inside `[:alpha:]`. */
function setEnd(pattern: string, start: number): number | undefined {
  let at = "!^".includes(pattern[start] ?? " ") ? start + 1 : start;
  for (let first = true; first || pattern[at] !== "]"; first = false) {
    if (at >= pattern.length) return undefined;
    const named = /^\[:[^\]]*:\]/u.exec(pattern.slice(at, at + maxNamedBytes))?.[0].length;
    at += named ?? (pattern[at] === "\\" ? 2 : 1);
  }
  return at + 1;
}

/** `[:xdigit:]` is the longest name of a class; others match nothing. */
const maxNamedBytes = 64;
