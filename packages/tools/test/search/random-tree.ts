import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { RandomSource } from "../random-source.ts";

const names = ["a", "b", "ab", "abc", "foo", "bar", "foo.txt", "bar.log", "build", "src", "x y", "a[b]", "Foo", "é.txt", "a#b", "!x", "1", "12.log", "foo ", "a\\b", "日.txt", "aé", "é", "ABC", "x.tar.gz", "{a}"] as const;

const ruleParts = [
  "a", "b", "ab", "foo", "bar", "*.log", "*.txt", "build", "*", "**", "?", "a*", "*b", "f?o", "[ab]", "[!a]", "[^b]*", "[a-f]oo", "[[:alpha:]]*", "[[:digit:]]", "[]a]", "x y",
  "a\\[b\\]", "\\#b", "\\!x", "a#b", "foo\\ ", "\\*", "[", "a[", "**a", "é.txt", "\\f\\o\\o", "Foo", "***", "a\\\\b", "[\\]a]", "*.*", "1*2",
  "a**", "b***", "?.txt", "??.txt", "[é]*", "[à-é].txt", "[[:upper:]]*", "[[:foo:]]", "[[:space:]x]*", "*[!b]", "f*o*", "[b-a]*", "a\\/b", "*a*b*", "[!-~]*", "{a}", "*.tar.*", "[a/b]", "日*", "***b",
] as const;

/** What ripgrep reads differently from git; git decides. */
const notInRipgrep: readonly string[] = ["[[:alpha:]]*", "[[:digit:]]", "foo\\ ", "***", "**a", "[\\]a]", "[", "a[", "a**", "b***", "***b", "?.txt", "??.txt", "[é]*", "[à-é].txt", "[[:upper:]]*", "[[:foo:]]", "[[:space:]x]*", "[b-a]*", "a\\/b", "[!-~]*", "{a}", "[a/b]"];

/** Files below a directory, some of them ignored by rules that are random but often hit. */
export function makeRandomTree(root: string, random: RandomSource, ignoreFiles: readonly string[], judge: "git" | "ripgrep"): void {
  const parts = judge === "git" ? ruleParts : ruleParts.filter((part) => !notInRipgrep.includes(part));
  const directories = [""];
  for (let count = 0; count < 6; count += 1) directories.push(join(random.of(directories), directoryName(random)));
  const files = new Set<string>();
  for (let count = 0; count < 40; count += 1) files.add(join(random.of(directories), random.of(names)));
  const taken = new Set(directories);
  for (const file of files) if (!taken.has(file) && !directories.some((directory) => directory.startsWith(`${file}/`))) write(join(root, file), "x\n");
  for (const directory of directories) {
    for (const name of ignoreFiles) if (directory === "" || (!name.startsWith(".git/") && random.below(3) === 0)) write(join(root, directory, name), randomRules(random, parts));
  }
}

function directoryName(random: RandomSource): string {
  return `${random.of(["d", "build", "src", "foo", "ab", "a"])}${random.below(3) === 0 ? "" : random.of(["1", "2"])}`;
}

function randomRules(random: RandomSource, parts: readonly string[]): string {
  return Array.from({ length: 1 + random.below(6) }, () => randomRule(random, parts)).join(random.of(["\n", "\n", "\r\n"])) + random.of(["\n", ""]);
}

function randomRule(random: RandomSource, parts: readonly string[]): string {
  const depth = 1 + random.below(3);
  const path = Array.from({ length: depth }, () => random.of(parts)).join("/");
  return `${random.of(["", "", "", "!"])}${random.of(["", "", "/", "**/"])}${path}${random.of(["", "", "/", "/**", "/*", " "])}`;
}

function write(path: string, content: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  } catch {
    // A name that is a directory already.
  }
}
