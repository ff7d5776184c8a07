import { randomSource } from "../random-source.ts";

export interface HostilePattern {
  readonly pattern: string;
  readonly unit: string;
  /** The text is the unit's characters in an order that repeats nowhere near, instead of the unit again and again. */
  readonly mixed?: boolean;
}

/** A text of about so many bytes that makes a pattern hostile, in one line. */
export function hostileText({ unit, mixed = false }: HostilePattern, bytes: number): Buffer {
  const count = Math.ceil(bytes / Buffer.byteLength(unit));
  if (!mixed) return Buffer.from(unit.repeat(count));
  const random = randomSource(1);
  const characters = Array.from(unit);
  return Buffer.from(Array.from({ length: count * characters.length }, () => random.of(characters)).join(""));
}

const almost = `x${"a".repeat(49)}`;

/**
 * Patterns on which backtracking engines take exponential or polynomial time, or on which automata grow, each with the
 * text that makes them. Kinds and sources: docs/search.md.
 */
export const hostilePatterns: readonly HostilePattern[] = [
  // Nested and overlapping repetition (OWASP, "Regular expression Denial of Service").
  { pattern: "^(a+)+$", unit: "a" },
  { pattern: "^(a*)*$", unit: "a" },
  { pattern: "^(a|aa)+$", unit: "a" },
  { pattern: "^(a|a?)+$", unit: "a" },
  { pattern: "^([a-zA-Z]+)*$", unit: "a" },
  { pattern: "(x+x+)+y", unit: "x" },
  { pattern: "(.*)*,", unit: "a" },
  { pattern: "(?:a|b|ab)*c", unit: "ab" },
  { pattern: "((a*)*)*b", unit: "a" },
  { pattern: "^(([a-z])+.)+[A-Z]([a-z])+$", unit: "a" },
  { pattern: "(\\w+\\s?)*:", unit: "word " },
  { pattern: "^\\s+|\\s+$", unit: " " },
  { pattern: "\\s*#?\\s*$", unit: " x" },
  { pattern: "(?:.*?,){12}P", unit: "1," },
  { pattern: "(?:\\d+,?)+;", unit: "12", mixed: true },
  // Outages: Cloudflare, July 2019; Stack Overflow, July 2016.
  { pattern: "(?:(?:\"|'|\\]|\\}|\\\\|\\d|(?:nan|infinity|true|false|null|undefined|symbol|math)|`|-|\\+)+[)]*;?((?:\\s|-|~|!|\\{\\}|\\|\\||\\+)*.*(?:.*=.*)))", unit: "x=x" },
  { pattern: ".*.*=.*", unit: "x" },
  { pattern: "^[\\s\\u200c]+|[\\s\\u200c]+$", unit: "\t" },
  // Advisories for packages: patterns of the same shapes.
  { pattern: "^(?:[a-z0-9]+\\.)+[a-z]{2,}$", unit: "a." },
  { pattern: "^([a-zA-Z0-9])(([\\-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}[a-z0-9]+[.]{1}(([a-z]{2,3})|([a-z]{2,3}[.]{1}[a-z]{2,3}))$", unit: "a" },
  { pattern: "<(?:[^>]|\"[^\"]*\")*>", unit: "<a\"" },
  { pattern: "\\{\\{(?:.|\\n)*?\\}\\}", unit: "{{" },
  { pattern: "^(?:(?:\\*|/)\\s*)+$", unit: "* " },
  { pattern: "(?:^|,)(?:[^,]*,)*x", unit: "a," },
  { pattern: "([\"'])(?:[^\"'\\\\]|\\\\.)*[\"'];", unit: "\"\\" },
  { pattern: "(?:[^\\\\]|\\\\.)*z$", unit: "\\a" },
  // Growth of automata (RE2's and Rust's own test collections have these kinds).
  { pattern: "[ab]*a[ab]{20}[cd]", unit: "abba", mixed: true },
  { pattern: "(?:a?){30}a{30}b", unit: "a" },
  { pattern: "[01]*1[01]{18}x", unit: "0110", mixed: true },
  { pattern: "(?:[a-z]{1,20} ){1,20}Z", unit: "word ", mixed: true },
  { pattern: "\\w{1,200}Z", unit: "word" },
  { pattern: "(?:\\w{1,8}){1,8}!", unit: "w" },
  { pattern: ".{100}Z", unit: "ab", mixed: true },
  { pattern: "(?:a{0,50}){0,20}b", unit: "a" },
  { pattern: "(?:a.{9}b|b.{11}a)c", unit: "ab", mixed: true },
  { pattern: "[^c]*(?:a[^c]{16}b){3}c", unit: "abd", mixed: true },
  { pattern: "a.{12}b.{12}c", unit: "ab", mixed: true },
  { pattern: "(?:.?){64}Q", unit: "qw", mixed: true },
  // A text that almost stands everywhere.
  { pattern: `${almost.repeat(40)}b`, unit: almost },
  // Unicode classes, case and word looks.
  { pattern: "(?i)(?:\\p{L}+\\s*)+\\d", unit: "é " },
  { pattern: "\\b\\w{25,}\\b", unit: "é " },
  { pattern: "(?:\\b\\w+\\b\\W*)+;", unit: "wörd " },
  { pattern: "\\p{Greek}+\\p{Cyrillic}", unit: "α" },
  { pattern: "[\\w--\\d]+[\\d&&[^5]]5", unit: "ab1" },
  { pattern: "(?:\\B.\\B)+$!", unit: "ab" },
  { pattern: "(?i)straße|ſtraſſe", unit: "straSS" },
];
