import { foldName } from "../policy/fold.ts";
import type { ProtectedRule, SegmentPattern } from "../policy/protected-rule.ts";

/** Other characters that a case-insensitive file system takes for these letters. The reverse of `foldName`. */
const foldedInto: readonly (readonly [letters: string, others: readonly string[]])[] = [
  ["ffi", ["\ufb03"]],
  ["ffl", ["\ufb04"]],
  ["ff", ["\ufb00"]],
  ["fi", ["\ufb01"]],
  ["fl", ["\ufb02"]],
  ["st", ["\ufb05", "\ufb06"]],
  ["ss", ["\u00df", "\u1e9e"]],
  ["i", ["\u0131"]],
  ["k", ["\u212a"]],
  ["s", ["\u017f"]],
];

/** Means something in a regex or a literal. Within brackets these do not. */
const bracketed = new Set([".", "*", "+", "?", "(", ")", "{", "}", "|", "$"]);

/** Cannot be written safely anywhere: any one character is taken for them. */
const unwritable = /[[\]^\\"/\p{Cc}]/u;

/**
 * A regex for the paths that a rule covers below its root, from a `/` on. Case-insensitive by character classes: the
 * language has no flag for it.
 *
 * @param prefix what comes before the rule's segments: nothing, or an anchor
 */
export function rulePattern(rule: ProtectedRule, prefix: string): string {
  return prefix + rule.segments.map(segmentPattern).join("") + (rule.covers === "subtree" ? "(/|$)" : "$");
}

/** Matches exactly the path of a root that has so many segments. */
export function depthAnchor(root: string): string {
  const depth = root === "/" ? 0 : root.split("/").length - 1;
  return `^${"/[^/]+".repeat(depth)}`;
}

function segmentPattern(segment: SegmentPattern): string {
  if (segment.kind === "any-depth") return "(/[^/]+)*";
  return segment.kind === "name" ? `/${namePattern(segment.name)}` : `/${namePattern(segment.prefix)}[^/]*`;
}

function namePattern(name: string): string {
  let rest = foldName(name);
  let pattern = "";
  while (rest !== "") {
    const [letters, others] = foldedInto.find(([candidate]) => rest.startsWith(candidate)) ?? [Array.from(rest)[0] ?? "", []];
    pattern += alternatives(letters, others);
    rest = rest.slice(letters.length);
  }
  return pattern;
}

function alternatives(letters: string, others: readonly string[]): string {
  const spelled = Array.from(letters, (letter) => characterPattern(letter)).join("");
  // Each letter of a group may also be replaced on its own, or with one neighbour.
  const inner = letters.length > 1 ? innerAlternatives(letters) : [];
  const all = [...new Set([spelled, ...inner, ...others])];
  return all.length === 1 ? spelled : `(${all.join("|")})`;
}

/** The ways to spell a group of letters from shorter groups: `st` as `ſ` and `t`, `ffi` as `f` and `ﬁ`. */
function innerAlternatives(letters: string): readonly string[] {
  const spellings = (rest: string): readonly string[] => {
    if (rest === "") return [""];
    return Array.from({ length: Math.min(rest.length, letters.length - 1) }, (_, index) => rest.slice(0, index + 1)).flatMap((part) => {
      const others = foldedInto.find(([candidate]) => candidate === part)?.[1] ?? [];
      const own = part.length === 1 ? [characterPattern(part)] : [];
      return [...own, ...others].flatMap((spelling) => spellings(rest.slice(part.length)).map((tail) => spelling + tail));
    });
  };
  return spellings(letters);
}

function characterPattern(character: string): string {
  if (unwritable.test(character)) return "[^/]";
  if (bracketed.has(character)) return `[${character}]`;
  const upper = character.toUpperCase();
  if (/^[a-z]$/.test(character)) return `[${character}${upper}]`;
  const forms = new Set([character, upper, character.toLowerCase()].flatMap((form) => [form.normalize("NFC"), form.normalize("NFD")]));
  return forms.size === 1 ? character : `(${[...forms].join("|")})`;
}
