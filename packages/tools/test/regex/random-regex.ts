import type { RandomSource } from "../random-source.ts";

const atoms = [
  "a", "b", "c", "ab", "A", "_", "1", " ", "é", "ß", "K", "k", "s", "ſ", "日", "😀", "\\.", "-", "\\x41", "\\u{e9}", "\\n", "\\r", "\\t",
  ".", ".", "\\w", "\\W", "\\d", "\\D", "\\s", "\\S", "[ab]", "[^a]", "[a-c]", "[^\\w]", "[\\w--a]", "[a-z&&[^b]]", "[\\d~~1]", "[[:alpha:]]", "[[:^space:]_]", "(?i:[[:^lower:]])", "(?i-u:[[:^upper:]])", "(?i:[[:^word:]])", "(?i:[\\P{Lu}1])", "(?i:[^\\P{Lu}a])",
  "[]a]", "[^]a]", "[a\\-z]", "[é-ü]", "[日本]", "\\pL", "\\p{Lu}", "\\P{Ll}", "\\p{Greek}", "[\\p{Lu}a]", "(?-u:\\w)", "(?-u:[a-c])", "(?i:k)", "(?i:[a-c])", "(?s:.)", "(?i:é)", "(?i:[^a])",
] as const;
const positions = ["^", "$", "\\A", "\\z", "\\b", "\\B", "\\b{start}", "\\b{end}", "\\b{start-half}", "\\b{end-half}", "\\<", "\\>", "(?-u:\\b)", "(?m:^)", "(?m:$)", "(?mR:^)", "(?mR:$)"] as const;
const repetitions = ["*", "+", "?", "*?", "+?", "??", "{2}", "{1,3}", "{0,2}?", "{2,}", "{0}", "++"] as const;
const letters = ["a", "b", "c", "A", "B", "K", "k", "s", "ſ", "K", "_", "1", "2", " ", "\t", "\n", "\r", "\r\n", "é", "É", "ß", "日", "本", "😀", ".", "-", "α", "Ω"] as const;

export function randomPattern(random: RandomSource, depth = 0): string {
  const count = 1 + random.below(4);
  return Array.from({ length: count }, () => randomPiece(random, depth)).join("");
}

function randomPiece(random: RandomSource, depth: number): string {
  const kind = random.below(depth > 2 ? 8 : 12);
  if (kind < 5) return random.of(atoms);
  if (kind < 7) return `${grouped(random.of(atoms))}${random.of(repetitions)}`;
  if (kind < 8) return random.of(positions);
  const inner = randomPattern(random, depth + 1);
  if (kind < 9) return `(?:${inner}|${randomPattern(random, depth + 1)})`;
  if (kind < 10) return `(${inner})${random.of(repetitions)}`;
  if (kind < 11) return `(?:${inner}|)`;
  return `(?i:${inner})`;
}

function grouped(atom: string): string {
  return atom.length > 1 ? `(?:${atom})` : atom;
}

export function randomText(random: RandomSource): string {
  const length = random.below(16);
  return Array.from({ length }, () => random.of(letters)).join("");
}
