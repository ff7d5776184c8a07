import { alternate, concat, literal, looks, type Hir } from "../../regex/hir.ts";
import { foldCase } from "../../regex/unicode/fold.ts";
import { negate, rangesOf, type Ranges } from "../../regex/unicode/ranges.ts";
import { maxGlobCharacters } from "./max-glob-characters.ts";

export interface GlobOptions {
  /** Wildcards also match names that begin with a dot. */
  readonly matchesHidden: boolean;
  readonly ignoreCase: boolean;
  /** Brackets and braces are characters, as in a path that was typed or copied: `app/[id]/page.tsx`. */
  readonly literalBrackets: boolean;
}

/** A glob that cannot be read. The message says what to write instead. */
export class GlobError extends Error {
  override readonly name = "GlobError";
}

/** The deepest braces within braces of a glob; deeper ones are refused. */
const maxBraceDepth = 50;
const slash = 0x2f;
const notSlash: Ranges = negate([slash, slash]);

/**
 * A glob as a pattern over a path below its base: `*`, `?`, `[…]` inside one segment, `**` over segments, `{a,b}`,
 * backslash escapes. A wildcard at the start of a segment does not match a leading dot.
 *
 * @throws GlobError
 */
export function parseGlob(glob: string, options: GlobOptions): Hir {
  if (glob.length > maxGlobCharacters) throw new GlobError(`the glob is longer than ${maxGlobCharacters} characters; use a shorter one`);
  const reader: GlobReader = { characters: Array.from(glob), at: 0, atSegmentStart: true, numbers: 0, options, glob };
  const body = readBranch(reader, 0);
  return concat([body, { kind: "look", look: looks.textEnd }]);
}

interface GlobReader {
  readonly characters: readonly string[];
  at: number;
  atSegmentStart: boolean;
  /** What its ranges of numbers stand for, together. */
  numbers: number;
  readonly options: GlobOptions;
  readonly glob: string;
}

/** Up to the end, or inside braces to the comma or brace that ends the alternative. */
function readBranch(reader: GlobReader, depth: number): Hir {
  const parts: Hir[] = [];
  while (reader.at < reader.characters.length) {
    const character = reader.characters[reader.at]!;
    if (depth > 0 && (character === "," || character === "}")) break;
    parts.push(readElement(reader, depth));
  }
  return concat(parts);
}

function readElement(reader: GlobReader, depth: number): Hir {
  const character = reader.characters[reader.at]!;
  const { literalBrackets } = reader.options;
  reader.at += 1;
  switch (character) {
    case "*":
      return readStars(reader);
    case "?":
      return wildcard(reader, { kind: "class", ranges: notSlash });
    case "[":
      return literalBrackets ? literalCharacter(reader, character) : readSet(reader);
    case "{":
      return literalBrackets ? literalCharacter(reader, character) : readBraces(reader, depth);
    case "\\":
      return readEscaped(reader);
    default:
      return literalCharacter(reader, character);
  }
}

function readEscaped(reader: GlobReader): Hir {
  const character = reader.characters[reader.at];
  if (character === undefined) throw new GlobError("the glob ends in a single backslash; write \\\\ to match one");
  reader.at += 1;
  return literalCharacter(reader, character);
}

function literalCharacter(reader: GlobReader, character: string): Hir {
  reader.atSegmentStart = character === "/";
  if (!reader.options.ignoreCase) return literal(character);
  const point = character.codePointAt(0) ?? 0;
  return { kind: "class", ranges: foldCase([point, point]) };
}

/** What a wildcard matches, but not a leading dot where it begins a segment. */
function wildcard(reader: GlobReader, hir: Hir): Hir {
  const guarded = reader.atSegmentStart && !reader.options.matchesHidden;
  reader.atSegmentStart = false;
  return guarded ? concat([{ kind: "look", look: looks.notDot }, hir]) : hir;
}

function readStars(reader: GlobReader): Hir {
  const { characters } = reader;
  const start = reader.at - 1;
  while (characters[reader.at] === "*") reader.at += 1;
  const wholeSegment = reader.atSegmentStart && (characters[reader.at] === "/" || characters[reader.at] === undefined || ",}".includes(characters[reader.at]!));
  if (reader.at - start >= 2 && wholeSegment) return readDeepStars(reader);
  const star: Hir = { kind: "repeat", part: { kind: "class", ranges: notSlash }, min: 0, max: Infinity, greedy: true };
  return wildcard(reader, star);
}

/** `**` and the slash after it: any number of segments, none included. At the end: anything below. */
function readDeepStars(reader: GlobReader): Hir {
  const { matchesHidden } = reader.options;
  const guard: Hir[] = matchesHidden ? [] : [{ kind: "look", look: looks.notDot }];
  const segment = concat([...guard, { kind: "repeat", part: { kind: "class", ranges: notSlash }, min: 1, max: Infinity, greedy: true }]);
  const deep: Hir = { kind: "repeat", part: concat([segment, literal("/")]), min: 0, max: Infinity, greedy: true };
  if (reader.characters[reader.at] === "/") {
    reader.at += 1;
    reader.atSegmentStart = true;
    return deep;
  }
  reader.atSegmentStart = false;
  return concat([deep, segment]);
}

function readBraces(reader: GlobReader, depth: number): Hir {
  if (depth >= maxBraceDepth) throw new GlobError(`braces are nested more than ${maxBraceDepth} deep; use a simpler glob`);
  const atStart = reader.atSegmentStart;
  const range = readNumberRange(reader);
  if (range) return range;
  const branches: Hir[] = [];
  let anyAtStart = false;
  for (;;) {
    reader.atSegmentStart = atStart;
    branches.push(readBranch(reader, depth + 1));
    anyAtStart ||= reader.atSegmentStart;
    const end = reader.characters[reader.at];
    reader.at += 1;
    if (end === undefined) throw new GlobError("a { has no closing }; write \\{ to match a brace");
    if (end === "}") break;
  }
  reader.atSegmentStart = anyAtStart;
  // One item alone is no choice: shells take `{a}` as it stands.
  if (branches.length === 1) return concat([literal("{"), branches[0]!, literal("}")]);
  return alternate(branches);
}

/** What all ranges `{1..9}` of a glob may stand for together, in numbers: each is an alternative of its own. */
const maxNumbers = 1000;

/** `{1..12}` */
function readNumberRange(reader: GlobReader): Hir | undefined {
  const close = reader.characters.indexOf("}", reader.at);
  const match = /^(-?\d{1,9})\.\.(-?\d{1,9})$/u.exec(reader.characters.slice(reader.at, close === -1 ? reader.at : Math.min(close, reader.at + 32)).join(""));
  if (!match) return undefined;
  const from = Number(match[1]);
  const to = Number(match[2]);
  reader.numbers += Math.abs(to - from) + 1;
  if (reader.numbers > maxNumbers) throw new GlobError(`its ranges up to {${match[0]}} stand for more than ${maxNumbers} numbers; use [0-9] or *`);
  reader.at = close + 1;
  reader.atSegmentStart = false;
  const step = from <= to ? 1 : -1;
  return alternate(Array.from({ length: Math.abs(to - from) + 1 }, (_, index) => literal(String(from + index * step))));
}

function readSet(reader: GlobReader): Hir {
  const { characters } = reader;
  const negated = characters[reader.at] === "!" || characters[reader.at] === "^";
  if (negated) reader.at += 1;
  const pairs: number[] = [];
  for (let first = true; first || characters[reader.at] !== "]"; first = false) {
    const low = readSetMember(reader);
    const ranged = characters[reader.at] === "-" && characters[reader.at + 1] !== "]" && characters[reader.at + 1] !== undefined;
    if (!ranged) {
      pairs.push(low, low);
      continue;
    }
    reader.at += 1;
    const high = readSetMember(reader);
    if (high < low) throw new GlobError("a range in [ ] ends before it begins; write it the other way round");
    pairs.push(low, high);
  }
  reader.at += 1;
  const ranges = reader.options.ignoreCase ? foldCase(rangesOf(pairs)) : rangesOf(pairs);
  const allowed = negated ? negate(rangesOf([...ranges, slash, slash])) : ranges;
  return wildcard(reader, { kind: "class", ranges: allowed });
}

function readSetMember(reader: GlobReader): number {
  if (reader.characters[reader.at] === "\\") reader.at += 1;
  const character = reader.characters[reader.at];
  if (character === undefined) throw new GlobError("a [ has no closing ]; write \\[ to match a bracket");
  reader.at += 1;
  return character.codePointAt(0) ?? 0;
}
