import { describe, expect, it } from "vitest";
import { compileRegex } from "../../src/regex/compile.ts";
import { PatternError } from "../../src/regex/pattern-error.ts";
import { propertyRanges } from "../../src/regex/unicode/property.ts";

// Whoever writes a pattern must not be able to take a thread's time or memory with it. What stands here took minutes,
// or all of the heap, or the stack: each is a kind, as long as a pattern may be.

const longest = 200_000;
const many = (piece: (index: number) => string, room = longest): string => {
  const pieces: string[] = [];
  for (let index = 0, length = 0; ; index += 1) {
    const next = piece(index);
    length += next.length;
    if (length > room) return pieces.join("");
    pieces.push(next);
  }
};
const nested = (opening: string, inner: string, closing: string, depth: number): string => opening.repeat(depth) + inner + closing.repeat(depth);
const blanks = (index: number): string => index.toString(2).replaceAll("0", " ").replaceAll("1", "_");

function refusal(pattern: string): string {
  try {
    compileRegex(pattern, { withinLine: true });
    return "";
  } catch (error) {
    expect(error).toBeInstanceOf(PatternError);
    return String(error);
  }
}

describe("a pattern as long as it may be", () => {
  it.each([
    { name: "braces that count nothing", pattern: "{".repeat(longest) },
    { name: "braces that count nothing, before one that closes", pattern: `${"a{".repeat(longest / 2 - 1)}}` },
    { name: "negated classes", pattern: "[^a]".repeat(longest / 4) },
    { name: "classes in classes", pattern: many(() => nested("[", "\\w", "]", 99)) },
    { name: "negated classes in each other, in both cases", pattern: `(?i)${many(() => nested("[^", "\\w", "]", 99), longest - 4)}` },
    { name: "large alternatives", pattern: "\\w|".repeat(longest / 3) },
    { name: "letters in both cases", pattern: `(?i)${"k".repeat(longest - 4)}` },
    { name: "one class of 100,000 characters in another", pattern: `[[${many((index) => String.fromCodePoint(0x10000 + 2 * index), longest - 10)}]a]` },
    { name: "nothing, repeated in repeats", pattern: nested("(?:", "", "){100000}", 120) },
    { name: "what is repeated no times, repeated in repeats", pattern: nested("(?:", "a{0}", "){100000}", 120) },
  ])("is read: $name", ({ pattern }) => {
    expect(pattern.length).toBeLessThanOrEqual(longest);
    expect(compileRegex(pattern, { withinLine: true })).toBeDefined();
  });

  it.each([
    { name: "a property in thousands of spellings", pattern: many((index) => `\\p{${blanks(index)}L}`), says: "too large once its repetitions are written out" },
    { name: "hundreds of properties", pattern: many((index) => `\\p{${["sc", "scx"][index % 2]}=${scripts[index >> 1] ?? ""}}`, 6000), says: "more than 200 different Unicode properties" },
    { name: "a large class again and again, in both cases", pattern: `(?i)${"[^\\w]".repeat(33_000)}`, says: "too large once its repetitions are written out" },
    { name: "a class of large parts", pattern: `[${"\\S\\W\\D".repeat(33_000)}]`, says: "too many large classes" },
    { name: "differences of large classes", pattern: `(?i)[${"\\w--\\d&&".repeat(24_000)}a]`, says: "too many large classes" },
    { name: "large classes of which none is like another", pattern: many((index) => `[${String.fromCodePoint(0x4e00 + index)}\\w]`), says: "too many large classes" },
    { name: "classes whose tables are large", pattern: many((index) => `[${String.fromCodePoint(0x10000 + index)}\\w]`, 4000), says: "too large once its repetitions are written out" },
    { name: "a repetition of a repetition of a repetition", pattern: `a${"{1}".repeat(60_000)}`, says: "groups and repetitions are nested too deeply here" },
    { name: "a name of a property", pattern: `\\p{${"a ".repeat(90_000)}}`, says: "there is no Unicode property a a a" },
  ])("is refused: $name", ({ pattern, says }) => {
    expect(pattern.length).toBeLessThanOrEqual(longest);
    const said = refusal(pattern);
    expect(said).toContain(says);
    expect(said.length).toBeLessThan(400);
  });
});

it.each([
  { pattern: "(?:a?){50000}b", unit: "a" },
  { pattern: "(?:a*){50000}b", unit: "a" },
  { pattern: `${"a*".repeat(99_000)}b`, unit: "a" },
  { pattern: "(?:\\b|\\B|a){30000}c", unit: "a " },
  { pattern: "(?:(?:a|b|ab|ba)?){15000}c", unit: "ab" },
])("no byte takes the square of the pattern, whatever is repeated (%#)", ({ pattern, unit }) => {
  const text = Buffer.from(unit.repeat(2000));
  expect(compileRegex(pattern, { withinLine: true }).findEnd(text, 0, text.length)).toBe(-1);
});

it("asks for the time while the automaton grows, too", () => {
  const text = Buffer.from("ab".repeat(200));
  let questions = 0;
  expect(compileRegex(".{30000}Q", { withinLine: true }).findEnd(text, 0, text.length, () => (questions += 1))).toBe(-1);
  expect(questions).toBe(0);
  const longer = Buffer.from("ab".repeat(2000));
  expect(compileRegex(".{30000}Q", { withinLine: true }).findEnd(longer, 0, longer.length, () => (questions += 1))).toBe(-1);
  expect(questions).toBeGreaterThan(10);
});

it("a multiline pattern that is too large to find where matches begin is refused at once, not beside the first match", () => {
  const words = many((index) => `common beginning of them all ${index}|`, 199_000);
  expect(compileRegex(words, { withinLine: true })).toBeDefined();
  expect(() => compileRegex(`(?:${words}x){2}`)).toThrow("too large once its repetitions are written out");
  expect(compileRegex(`(?:${words}x){2}`, { withinLine: true })).toBeDefined();
});

it("a Unicode property is looked up once, however it is written, and what does not exist is not remembered", () => {
  expect(propertyRanges("Uppercase_Letter")).toBe(propertyRanges("uppercase letter"));
  expect(propertyRanges("Lu")).toBe(propertyRanges("Lu "));
  expect(propertyRanges("assigned")).toBe(propertyRanges("Assigned"));
  expect(propertyRanges("Lu".padEnd(101))).toBeNull();
});

/** Of which Unicode 14 and all later versions know. */
const scripts =
  "Adlm Aghb Ahom Arab Armi Armn Avst Bali Bamu Bass Batk Beng Bhks Bopo Brah Brai Bugi Buhd Cakm Cans Cari Cham Cher Chrs Copt Cprt Cyrl Deva Diak Dogr Dsrt Dupl Egyp Elba Elym Ethi Geor Glag Gong Gonm Goth Gran Grek Gujr Guru Hang Hani Hano Hatr Hebr Hira Hluw Hmng Hmnp Hung Ital Java Kali Kana Khar Khmr Khoj Kits Knda Kthi Lana Laoo Latn Lepc Limb Lina Linb Lisu Lyci Lydi Mahj Maka Mand Mani Marc Medf Mend Merc Mero Mlym Modi Mong Mroo Mtei Mult Mymr Nand Narb Nbat Newa Nkoo Nshu Ogam Olck Orkh Orya Osge Osma Palm Pauc Perm Phag Phli Phlp Phnx".split(" ");
