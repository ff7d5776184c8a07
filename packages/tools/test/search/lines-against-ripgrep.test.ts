import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { randomSource, type RandomSource } from "../random-source.ts";
import { ourCounts, ourLines, ripgrepCounts, ripgrepLines } from "./list-files.ts";

// ripgrep says which lines match: on trees with every kind of line ending, encoding fault and length.

const trees = 14;

/** Longer than what is read at once, so that a line has to be put together; and than what is looked through for its end. */
const longLineCharacters = 1_500_000;
const words = ["foo", "bar", "Foo_1", "return", "x", "  ", "\t", "TODO: é", "ß", "日本語", "a.b", "(call)", "12345", "_id", "ABC", "-->", "{}", "\xff".repeat(1)] as const;
const patterns = [
  "foo", "foo$", "^foo", "^$", "^\\s*$", "\\bfoo\\b", "\\w+_\\d", "(?i)foo", "(?i)todo|RETURN", "[[:upper:]]{2,}", "\\d{3,}", "é", "\\bé", "日.語", ".{30,}", "a\\.b", "\\(call\\)", "x|y|z", "fo+.*bar",
  "^.$", "\\S+\\s+\\S+", "[^a-z]$", "(?:foo|bar){2}", "\\p{Lu}\\p{Ll}", "\\W", "^[^f]", "return|12345|ABC", "_id\\b", "(?-u:\\xff)", "\\t",
] as const;

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "fencepost-lines-"));
  const random = randomSource(11);
  for (let tree = 0; tree < trees; tree += 1) {
    for (let file = 0; file < 8; file += 1) {
      const path = join(root, String(tree), random.of(["", "a", "b/c"]), `${random.of(["f", "g"])}${file}.txt`);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, file === 0 ? calmContent(random) : randomContent(random));
    }
    if (tree === 0) writeFileSync(join(root, String(tree), "long.txt"), `foo\n${"x".repeat(longLineCharacters)} foo${random.of(["\r\n", "\n"])}bar\n${"é bar ".repeat(longLineCharacters / 6)}`);
  }
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

function randomContent(random: RandomSource): Buffer {
  const ending = random.of(["\n", "\n", "\r\n"]);
  const lines = Array.from({ length: random.below(40) }, () => Array.from({ length: random.below(random.below(12) === 0 ? 4000 : 8) }, () => random.of(words)).join(random.of([" ", "", ", "])));
  const text = lines.join(ending) + random.of([ending, ""]);
  // What was U+00FF becomes a byte that is not UTF-8.
  return Buffer.concat(text.split("\xff").flatMap((part, index) => (index === 0 ? [Buffer.from(part)] : [Buffer.of(0xff), Buffer.from(part)])));
}

/** Long, and few of its lines match anything: what is read in several places at once. */
function calmContent(random: RandomSource): Buffer {
  const ending = random.of(["\n", "\r\n"]);
  const lines = Array.from({ length: 3000 }, () => (random.below(200) === 0 ? random.of(words) + random.of(words) : "- ".repeat(random.below(12))));
  return Buffer.from(lines.join(ending) + random.of([ending, ""]), "latin1");
}

/** How many lines there are of each file, as `path:count`. */
function countsOf(lines: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const line of lines) {
    const path = line.slice(0, line.indexOf(":"));
    counts.set(path, (counts.get(path) ?? 0) + 1);
  }
  return Array.from(counts, ([path, count]) => `${path}:${count}`);
}

/** Counts are those of ripgrep's lines everywhere; what it says itself when asked for counts takes as long again. */
const asksForCounts = (tree: number): boolean => tree === 0 || Boolean(process.env["FENCEPOST_DEEP"]);

it(`[T22] finds and counts the lines ripgrep finds, on ${trees * patterns.length} pairs of pattern and tree`, async () => {
  for (let tree = 0; tree < trees; tree += 1) {
    for (const pattern of patterns) {
      const directory = join(root, String(tree));
      const [lines, counts] = [ripgrepLines(directory, pattern).toSorted(), (await ourCounts(directory, pattern)).toSorted()];
      expect({ tree, pattern, lines: (await ourLines(directory, pattern)).toSorted() }).toEqual({ tree, pattern, lines });
      expect({ tree, pattern, counts }).toEqual({ tree, pattern, counts: countsOf(lines).toSorted() });
      if (asksForCounts(tree)) expect({ tree, pattern, counts }).toEqual({ tree, pattern, counts: ripgrepCounts(directory, pattern).toSorted() });
    }
  }
}, 300_000);

it("finds the lines ripgrep finds when matches span lines", async () => {
  for (const pattern of ["foo\\s+bar", "(?s)foo.*?return", "x\\n+", "\\w$\\n\\w", "\\n\\n"]) {
    const directory = join(root, "3");
    const ours = (await ourLines(directory, pattern, { multiline: true })).toSorted();
    expect({ pattern, lines: ours }).toEqual({ pattern, lines: ripgrepLines(directory, pattern, ["-U", "--no-crlf"]).toSorted() });
  }
});
