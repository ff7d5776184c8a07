import { programName } from "./command-wrappers.ts";
import type { ShellWord } from "./shell-grammar.ts";

const shells: ReadonlySet<string> = new Set(["bash", "sh", "zsh", "dash", "ksh"]);

/** Options of a shell whose value is the next word. */
const valuedOptions: ReadonlySet<string> = new Set(["-o", "+o", "-O", "+O", "--rcfile", "--init-file"]);

/** The script of `bash -c '<script>'` and its siblings (`-lc`, `-o pipefail -c`): the word that holds it. */
export function inlineScript(words: readonly ShellWord[]): ShellWord | undefined {
  if (!shells.has(programName(words[0]) ?? "")) return undefined;
  let hasScript = false;
  for (let at = 1; at < words.length; at++) {
    const option = words[at]?.value;
    if (option === undefined || option === "--" || !/^[-+]./.test(option)) return hasScript ? words[option === "--" ? at + 1 : at] : undefined;
    if (/^-[a-zA-Z]*c/.test(option)) hasScript = true;
    if (valuedOptions.has(option)) at++;
  }
  return undefined;
}
