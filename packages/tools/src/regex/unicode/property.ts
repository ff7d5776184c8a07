import { complement, maxCodePoint, type Ranges } from "./ranges.ts";

/** No property's name is longer, however it is written. */
const maxNameCharacters = 100;

/** By the platform's own spelling. It knows some thousand names and aliases, and most have few ranges: a few megabytes at most. */
const known = new Map<string, Ranges>();

/** The code points of a `\p{…}` as Rust writes it, or null where neither the platform nor we know the name. The same for the same property, so that what is made of it can be remembered. */
export function propertyRanges(written: string): Ranges | null {
  if (written.length > maxNameCharacters) return null;
  const [left = "", right] = written.split(/[=:]/u, 2);
  if (right === undefined) {
    const special = specialRanges(loose(left));
    if (special) return special;
  }
  for (const expression of right === undefined ? bareSpellings(left) : pairSpellings(loose(left), right)) {
    const ranges = known.get(expression) ?? platformRanges(expression);
    if (ranges) return ranges;
  }
  return null;
}

const any: Ranges = [0, maxCodePoint];
const ascii: Ranges = [0, 0x7f];

function specialRanges(name: string): Ranges | undefined {
  switch (name) {
    case "any":
      return any;
    case "ascii":
      return ascii;
    case "assigned":
      return complement(known.get("Cn") ?? platformRanges("Cn") ?? []);
    default:
      return undefined;
  }
}

function bareSpellings(name: string): readonly string[] {
  const spellings = spellingsOf(name);
  return [...spellings, ...spellings.map((spelling) => `Script=${spelling}`)];
}

function pairSpellings(key: string, value: string): readonly string[] {
  const keys: Record<string, string> = { gc: "gc", generalcategory: "gc", sc: "sc", script: "sc", scx: "scx", scriptextensions: "scx" };
  const shortKey = keys[key];
  return shortKey === undefined ? [] : spellingsOf(value).map((spelling) => `${shortKey}=${spelling}`);
}

/** Rust compares names without regard to case, blanks, `-` and `_`; the platform wants its own spelling. */
function spellingsOf(name: string): readonly string[] {
  const words = name.split(/[\s_-]+/u).filter((word) => word !== "");
  const titled = words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1).toLowerCase());
  return [...new Set([name, titled.join("_"), titled.join(""), words.join("_").toUpperCase(), looseNames.get(loose(name)) ?? name])];
}

/** Names that are commonly written without the underscores the platform insists on. */
const looseNames: ReadonlyMap<string, string> = new Map(
  [
    "White_Space", "Lowercase_Letter", "Uppercase_Letter", "Titlecase_Letter", "Modifier_Letter", "Other_Letter", "Nonspacing_Mark", "Spacing_Mark",
    "Decimal_Number", "Letter_Number", "Other_Number", "Connector_Punctuation", "Dash_Punctuation", "Open_Punctuation", "Close_Punctuation",
    "Math_Symbol", "Currency_Symbol", "Modifier_Symbol", "Other_Symbol", "Space_Separator", "Emoji_Presentation", "Extended_Pictographic", "ID_Start",
    "ID_Continue", "XID_Start", "XID_Continue",
  ].map((name) => [loose(name), name]),
);

function loose(name: string): string {
  return name.replace(/[\s_-]+/gu, "").toLowerCase();
}

function platformRanges(expression: string): Ranges | undefined {
  const pattern = platformPattern(expression);
  if (!pattern) return undefined;
  const ranges = scan(pattern);
  known.set(expression, ranges);
  return ranges;
}

function platformPattern(expression: string): RegExp | undefined {
  if (!/^[A-Za-z_=]+$/u.test(expression)) return undefined;
  try {
    return new RegExp(`\\p{${expression}}+`, "gu");
  } catch {
    return undefined;
  }
}

let everything: string | undefined;

/** Every scalar value in order, and where each begins: one pass of the platform's own engine reads a property off it. */
function scan(pattern: RegExp): Ranges {
  everything ??= [blockText(0, 0xd7ff), blockText(0xe000, maxCodePoint)].join("");
  const out: number[] = [];
  for (const match of everything.matchAll(pattern)) {
    const first = match[0].codePointAt(0) ?? 0;
    const last = lastPoint(match[0]);
    if (first < 0xd800 && last > 0xdfff) out.push(first, 0xd7ff, 0xe000, last);
    else out.push(first, last);
  }
  return out;
}

function lastPoint(text: string): number {
  const unit = text.charCodeAt(text.length - 1);
  return unit >= 0xdc00 && unit <= 0xdfff ? (text.codePointAt(text.length - 2) ?? unit) : unit;
}

function blockText(from: number, to: number): string {
  const chunks: string[] = [];
  for (let start = from; start <= to; start += 4096) {
    const size = Math.min(4096, to - start + 1);
    chunks.push(String.fromCodePoint(...Array.from({ length: size }, (_, index) => start + index)));
  }
  return chunks.join("");
}
