/**
 * Patterns on which backtracking engines take exponential or polynomial time, or on which automata grow, each with the
 * text that makes them. Kinds and sources: docs/search.md.
 */
export const hostilePatterns: readonly { readonly pattern: string; readonly unit: string }[] = [
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
  { pattern: "(?:\\d+,?)+;", unit: "12" },
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
  { pattern: "[ab]*a[ab]{20}[cd]", unit: "abba" },
  { pattern: "(?:a?){30}a{30}b", unit: "a" },
  { pattern: "[01]*1[01]{18}x", unit: "0110" },
  { pattern: "(?:[a-z]{1,20} ){1,20}Z", unit: "word " },
  { pattern: "\\w{1,200}Z", unit: "word" },
  { pattern: "(?:\\w{1,8}){1,8}!", unit: "w" },
  { pattern: ".{100}Z", unit: "ab" },
  { pattern: "(?:a{0,50}){0,20}b", unit: "a" },
  { pattern: "a.{12}b.{12}c", unit: "ab" },
  { pattern: "(?:.?){64}Q", unit: "qw" },
  // Unicode classes, case and word looks.
  { pattern: "(?i)(?:\\p{L}+\\s*)+\\d", unit: "é " },
  { pattern: "\\b\\w{25,}\\b", unit: "é " },
  { pattern: "(?:\\b\\w+\\b\\W*)+;", unit: "wörd " },
  { pattern: "\\p{Greek}+\\p{Cyrillic}", unit: "α" },
  { pattern: "[\\w--\\d]+[\\d&&[^5]]5", unit: "ab1" },
  { pattern: "(?:\\B.\\B)+$!", unit: "ab" },
  { pattern: "(?i)straße|ſtraſſe", unit: "straSS" },
];
