import type { Token } from "./wildcard.ts";

const posixClasses: Readonly<Record<string, RegExp>> = {
  alnum: /^[0-9A-Za-z]$/u,
  alpha: /^[A-Za-z]$/u,
  blank: /^[ \t]$/u,
  cntrl: /^\p{Cc}$/u,
  digit: /^[0-9]$/u,
  graph: /^[!-~]$/u,
  lower: /^[a-z]$/u,
  print: /^[ -~]$/u,
  punct: /^[!-/:-@[-`{-~]$/u,
  space: /^[\t-\r ]$/u,
  upper: /^[A-Z]$/u,
  xdigit: /^[0-9A-Fa-f]$/u,
};

export interface ReadSet {
  readonly token: Token;
  /** Where the pattern goes on after the closing bracket. */
  readonly next: number;
}

/** Reads `[…]` as git does, after the opening bracket at `start - 1`. Undefined where it never closes or names an unknown class. */
export function readCharacterSet(pattern: readonly string[], start: number): ReadSet | undefined {
  let at = start;
  const negated = pattern[at] === "!" || pattern[at] === "^";
  if (negated) at += 1;
  const tests: ((character: string) => boolean)[] = [];
  for (let first = true; first || pattern[at] !== "]"; first = false) {
    if (at >= pattern.length) return undefined;
    if (pattern[at] === "[" && pattern[at + 1] === ":") {
      const close = pattern.indexOf("]", at + 2);
      if (close === -1) return undefined;
      if (pattern[close - 1] === ":" && close - 1 > at + 1) {
        const test = posixClasses[pattern.slice(at + 2, close - 1).join("")];
        if (!test) return undefined;
        tests.push((character) => test.test(character));
        at = close + 1;
        continue;
      }
    }
    if (pattern[at] === "\\") at += 1;
    const low = pattern[at];
    if (low === undefined) return undefined;
    at += 1;
    if (pattern[at] === "-" && pattern[at + 1] !== undefined && pattern[at + 1] !== "]") {
      at += pattern[at + 1] === "\\" ? 2 : 1;
      const high = pattern[at];
      if (high === undefined) return undefined;
      at += 1;
      tests.push((character) => character >= low && character <= high);
    } else tests.push((character) => character === low);
  }
  return { token: { kind: "set", negated, includes: (character) => tests.some((test) => test(character)) }, next: at + 1 };
}
