export interface BenchPattern {
  readonly name: string;
  readonly pattern: string;
  readonly ignoreCase?: boolean;
  readonly multiline?: boolean;
}

/** Every kind of pattern that costs something else: how often it matches, and what can be looked for before it. */
export const patterns: readonly BenchPattern[] = [
  { name: "rare", pattern: "createRequireFromPath" },
  { name: "none", pattern: "zzqqxxyy" },
  { name: "everywhere", pattern: "return" },
  { name: "any-case", pattern: "readfilesync", ignoreCase: true },
  { name: "alternation", pattern: "readFileSync|writeFileSync|existsSync|mkdirSync" },
  { name: "anchored", pattern: "^export default" },
  { name: "literal-word", pattern: "process\\.env\\.\\w+" },
  { name: "no-literal", pattern: "[A-Za-z]+_[0-9]{4}_[a-z]+" },
  { name: "unicode-word", pattern: "\\b\\w{25,}\\b" },
  { name: "5000-words", pattern: Array.from({ length: 5000 }, (_, index) => `w${(index * 7919).toString(36)}x`).join("|") },
];

/** Makes an automaton with more states than any table holds. */
export const blowUp = "[ab]*a[ab]{20}[cd]";
