import { alternate, concat, emptyHir, looks, type Hir } from "../hir.ts";
import { maxPatternCharacters } from "../max-pattern-characters.ts";
import { foldCase } from "../unicode/fold.ts";
import type { Ranges } from "../unicode/ranges.ts";
import { foldedBy, negatedBy, readClass } from "./class.ts";
import { readEscape } from "./escape.ts";
import { flagLetters, type Flags } from "./flags.ts";
import { Reader } from "./reader.ts";

/** As in Rust's crate: groups and repetitions inside each other. Deeper patterns are refused rather than risking the stack. */
const maxNesting = 250;

/** The most repetitions one counted repetition may ask for. */
const maxCount = 100_000;

/**
 * Reads Rust's regex syntax.
 *
 * @throws PatternError with what is wrong, where, and what to write instead
 */
export function parse(pattern: string, flags: Flags): Hir {
  const reader = new Reader(pattern);
  if (pattern.length > maxPatternCharacters) reader.fail(`the pattern is longer than ${maxPatternCharacters} characters; search for a part of it`, 0);
  const hir = readAlternation({ reader, flags, depth: 0, height: 0, atomHeight: 0 });
  if (!reader.done) reader.fail("this ) closes nothing; write \\) to match a parenthesis");
  return hir;
}

/** One group's state: flags set inside a group end with it. */
interface Scope {
  readonly reader: Reader;
  flags: Flags;
  readonly depth: number;
  /** How many groups and repetitions are inside each other in what was read, and in the last atom. */
  height: number;
  atomHeight: number;
}

function readAlternation(scope: Scope): Hir {
  const { reader } = scope;
  const branches: Hir[] = [];
  let parts: Hir[] = [];
  for (;;) {
    reader.skipBlank(scope.flags.verbose);
    if (reader.done || reader.peek() === ")") break;
    if (reader.take("|")) {
      branches.push(concat(parts));
      parts = [];
      continue;
    }
    const from = reader.at;
    const part = readRepetition(scope, readAtom(scope), from);
    if (part) parts.push(part);
  }
  branches.push(concat(parts));
  return alternate(branches);
}

/** Null where the atom only switched flags. */
function readAtom(scope: Scope): Hir | null {
  const { reader, flags } = scope;
  const from = reader.at;
  scope.atomHeight = 0;
  const character = reader.next();
  switch (character) {
    case "(":
      return readGroup(scope, from);
    case "[":
      return classHir(readClass(reader, flags, from), flags);
    case ".":
      return classHir(dot(flags), flags);
    case "^":
      return { kind: "look", look: flags.multiLine ? (flags.crlf ? looks.lineStartCrlf : looks.lineStart) : looks.textStart };
    case "$":
      return { kind: "look", look: flags.multiLine ? (flags.crlf ? looks.lineEndCrlf : looks.lineEnd) : looks.textEnd };
    case "\\":
      return escapeHir(scope, from);
    case "*":
    case "+":
    case "?":
      return reader.fail(`nothing stands before this ${character} to repeat; write \\${character} to match it`, from);
    default:
      return pointHir(character.codePointAt(0) ?? 0, flags);
  }
}

function readGroup(scope: Scope, from: number): Hir | null {
  const { reader } = scope;
  if (scope.depth >= maxNesting) reader.fail("this group is nested too deeply", from);
  const inner: Scope = { reader, flags: scope.flags, depth: scope.depth + 1, height: 0, atomHeight: 0 };
  if (reader.take("?")) {
    refuseUnsupported(reader, from);
    const named = reader.take("P<") || reader.take("<");
    if (named) readName(reader, from);
    else if (!reader.take(":")) {
      const flags = readFlags(reader, scope.flags, from);
      if (reader.take(")")) {
        scope.flags = flags;
        return null;
      }
      reader.next();
      inner.flags = flags;
    }
  }
  const body = readAlternation(inner);
  if (!reader.take(")")) reader.fail("this ( has no closing ); write \\( to match a parenthesis", from);
  scope.atomHeight = inner.height + 1;
  return body;
}

function refuseUnsupported(reader: Reader, from: number): void {
  for (const opening of ["=", "!", "<=", "<!"]) {
    if (reader.sees(opening)) {
      reader.fail(`look-around (?${opening}…) is not supported, because it cannot be matched in linear time; match the surrounding text too, as in foo(bar|baz), or search for the plain part and narrow it with \`glob\``, from);
    }
  }
  if (reader.sees(">")) reader.fail("atomic groups (?>…) are not needed here, because no pattern backtracks; write (?:…)", from);
  if (reader.sees("#")) reader.fail("comments (?#…) are not supported; use (?x) or leave it out", from);
  if (reader.sees("P=")) reader.fail("back-references are not supported, because they cannot be matched in linear time; write out the alternatives", from);
}

function readName(reader: Reader, from: number): void {
  const name = reader.takeUntil(">");
  if (name === undefined || !/^[\p{Alphabetic}_][\p{Alphabetic}\p{M}\p{Nd}_.[\]]*$/u.test(name)) reader.fail("a group's name consists of letters, digits and _, as in (?<name>…)", from);
}

/** Stops before the `:` or `)` that ends the flags. */
function readFlags(reader: Reader, outer: Flags, from: number): Flags {
  let flags = outer;
  let value = true;
  while (reader.peek() !== ":" && reader.peek() !== ")") {
    const letter = reader.next();
    const flag = flagLetters[letter];
    if (letter === "-" && value) value = false;
    else if (flag) flags = { ...flags, [flag]: value };
    else reader.fail(`(?${letter} is not known; groups begin with (, (?: or (?<name>, flags are i m s x u U R`, from);
  }
  return flags;
}

function escapeHir(scope: Scope, from: number): Hir {
  const { reader, flags } = scope;
  const escape = readEscape(reader, flags, from);
  if (escape.kind === "look") return { kind: "look", look: escape.look };
  if (escape.kind === "set") {
    const ranges = escape.property ? foldedBy(escape.ranges, flags) : escape.ranges;
    return classHir(escape.negated ? negatedBy(ranges, flags) : ranges, flags);
  }
  return escape.byte && !flags.unicode && escape.point > 0x7f ? { kind: "bytes", ranges: [escape.point, escape.point] } : pointHir(escape.point, flags);
}

/** Plain characters, made once: a list of words has thousands of them, and what is the same is known to be. */
const plainAscii = asciiHirs((ranges) => ranges);
const foldedAscii = asciiHirs(foldCase);

function asciiHirs(fold: (ranges: Ranges) => Ranges): readonly Hir[] {
  return Array.from({ length: 128 }, (_, point): Hir => ({ kind: "class", ranges: fold([point, point]) }));
}

function pointHir(point: number, flags: Flags): Hir {
  const plain = flags.ignoreCase ? (flags.unicode ? foldedAscii[point] : undefined) : plainAscii[point];
  return plain ?? { kind: "class", ranges: foldedBy([point, point], flags) };
}

function classHir(ranges: Ranges, flags: Flags): Hir {
  const ascii = (ranges.at(-1) ?? 0) <= 0x7f;
  return flags.unicode || ascii ? { kind: "class", ranges } : { kind: "bytes", ranges };
}

function dot(flags: Flags): Ranges {
  return negatedBy(flags.dotAll ? [] : flags.crlf ? [10, 10, 13, 13] : [10, 10], flags);
}

function readRepetition(scope: Scope, atom: Hir | null, from: number): Hir | null {
  const { reader } = scope;
  let part = atom;
  for (;;) {
    reader.skipBlank(scope.flags.verbose);
    const at = reader.at;
    const count = readCount(reader);
    if (!count) {
      scope.height = Math.max(scope.height, scope.atomHeight);
      return part;
    }
    if (!part) return reader.fail("flags cannot be repeated", from);
    const [min, max] = count;
    if (max < min) reader.fail("this repetition's maximum is below its minimum", at);
    if (min > maxCount || (max !== Infinity && max > maxCount)) reader.fail(`a repetition counts to ${maxCount} at most`, at);
    const lazy = reader.take("?");
    scope.atomHeight += 1;
    if (scope.depth + scope.atomHeight > maxNesting) reader.fail("groups and repetitions are nested too deeply here", at);
    // Repetitions of nothing would be written out for ever without making the pattern any larger.
    part = max === 0 || part.kind === "empty" ? emptyHir : { kind: "repeat", part, min, max, greedy: lazy === scope.flags.swapGreed };
  }
}

const countCharacters = "0123456789, \t\n\v\f\r";

/** A `{` that begins no count is a character: code is full of them. */
function readCount(reader: Reader): readonly [number, number] | undefined {
  if (reader.take("*")) return [0, Infinity];
  if (reader.take("+")) return [1, Infinity];
  if (reader.take("?")) return [0, 1];
  if (reader.peek() !== "{") return undefined;
  const start = reader.at;
  reader.next();
  const counted = /^\s*(\d{1,9})?\s*(,)?\s*(\d{1,9})?\s*$/u.exec(reader.takeAll(countCharacters));
  const [, min, comma, max] = counted ?? [];
  if (!reader.take("}") || !counted || (min === undefined && max === undefined)) {
    reader.at = start;
    return undefined;
  }
  return [Number(min ?? 0), comma === undefined ? Number(min ?? max) : max === undefined ? Infinity : Number(max)];
}
