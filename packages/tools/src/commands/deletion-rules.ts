import { programName, unwrap } from "./command-wrappers.ts";
import { inlineScript } from "./inline-script.ts";
import { commandTree } from "./command-tree.ts";
import type { DangerousCommand } from "./dangerous-command.ts";
import type { ShellWord } from "./shell-grammar.ts";

type DeletionKey = Exclude<DangerousCommand["key"], "nesting_too_deep">;

/** What a command, wrappers taken off, deletes or forces. */
export function deletionOf(words: readonly ShellWord[]): DeletionKey | undefined {
  const rest = words.slice(1);
  switch (programName(words[0])) {
    case "rm":
      return options(rest).some(isRecursiveOrForce) ? "rm_recursive_or_force" : undefined;
    case "find":
      return findDeletes(rest);
    case "git":
      return cleansByForce(rest) ? "git_clean_force" : undefined;
    default:
      return undefined;
  }
}

/** The words that are options: they may stand anywhere before `--`. A dynamic word counts by what it starts with. */
function options(words: readonly ShellWord[]): readonly string[] {
  const end = words.findIndex((word) => word.value === "--");
  return (end === -1 ? words : words.slice(0, end)).map((word) => word.prefix).filter((text) => text.startsWith("-") && text !== "-");
}

function isRecursiveOrForce(option: string): boolean {
  if (option.startsWith("--")) return isLong(option, "--recursive") || isLong(option, "--force");
  return /[rRf]/.test(option);
}

/** A long option in full or shortened, as GNU programs take it. */
function isLong(option: string, full: string): boolean {
  return option.length > 2 && full.startsWith(option);
}

function findDeletes(words: readonly ShellWord[]): DeletionKey | undefined {
  if (words.some((word) => word.value === "-delete")) return "find_delete";
  const runs = words.flatMap((word, at) => (word.value === "-exec" || word.value === "-execdir" ? [executed(words, at + 1)] : []));
  return runs.map(deletionOfExecuted).find((key) => key !== undefined);
}

/** The command of `-exec`, up to its `;` or `+`. */
function executed(words: readonly ShellWord[], start: number): readonly ShellWord[] {
  const length = words.slice(start).findIndex((word) => word.value === ";" || word.value === "+");
  return words.slice(start, length === -1 ? undefined : start + length);
}

function deletionOfExecuted(words: readonly ShellWord[]): DeletionKey | undefined {
  const inner = unwrap(words);
  if (programName(inner.words[0]) === "rm") return "find_delete";
  const script = (inner.script ?? inlineScript(inner.words))?.value;
  const reached = script === undefined ? [] : (commandTree(script)?.commands ?? []);
  return reached.map((command) => deletionOf(command.words)).find((key) => key !== undefined);
}

/** Options of git itself whose value is the next word. */
const gitValued: ReadonlySet<string> = new Set(["-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path", "--super-prefix", "--config-env", "--attr-source"]);

function cleansByForce(words: readonly ShellWord[]): boolean {
  let at = 0;
  while (words[at]?.prefix.startsWith("-")) at += gitValued.has(words[at]?.value ?? "") ? 2 : 1;
  if (words[at]?.value !== "clean") return false;
  return options(words.slice(at + 1)).some((option) => (option.startsWith("--") ? isLong(option, "--force") : forcesClean(option)));
}

/** `-fdx`, but not the pattern of `-ef`. */
function forcesClean(option: string): boolean {
  return option.split("e", 1)[0]?.includes("f") ?? false;
}
