import type { ShellWord } from "./shell-grammar.ts";

/** What one wrapper takes before the program it runs. */
interface Wrapper {
  /** Options whose value is the next word. A value may also be attached: `-n5`, `--signal=KILL`. */
  readonly valued: readonly string[];
  /** Words between the options and the program: `timeout 5 rm`. */
  readonly positional: number;
  /** `NAME=value` words before the program. */
  readonly assignments: boolean;
  /** Options with which it runs nothing. */
  readonly inert: readonly string[];
}

const plain: Wrapper = { valued: [], positional: 0, assignments: false, inert: [] };

const wrappers: ReadonlyMap<string, Wrapper> = new Map([
  [
    "sudo",
    {
      ...plain,
      assignments: true,
      valued: "-u -g -h -p -C -D -R -T -U -r -t -a -c --user --group --host --prompt --close-from --chdir --chroot --command-timeout --other-user --role --type".split(" "),
    },
  ],
  ["env", { ...plain, assignments: true, valued: "-u -C --unset --chdir".split(" ") }],
  [
    "xargs",
    {
      ...plain,
      valued: "-I -n -P -L -s -d -E -a -J -R -S --arg-file --delimiter --max-args --max-procs --max-chars --process-slot-var".split(" "),
    },
  ],
  ["timeout", { ...plain, positional: 1, valued: "-k -s --kill-after --signal".split(" ") }],
  ["nice", { ...plain, valued: "-n --adjustment".split(" ") }],
  ["nohup", plain],
  ["time", { ...plain, valued: "-f -o --format --output".split(" ") }],
  ["command", { ...plain, inert: ["v", "V"] }],
]);

/** The last segment of a program's path: `/bin/rm` is `rm`. Undefined where only running it could tell. */
export function programName(word: ShellWord | undefined): string | undefined {
  return word?.value?.split("/").at(-1);
}

/** What a wrapper leaves to be run: words, or a script in one word (`env -S 'rm x'`). */
export interface Unwrapped {
  readonly words: readonly ShellWord[];
  readonly script?: ShellWord;
  /** The wrappers that were taken off, outermost first. */
  readonly wrappers: readonly string[];
}

/** The command without the programs in front of it that only run another. No words where nothing is run. */
export function unwrap(words: readonly ShellWord[]): Unwrapped {
  const taken: string[] = [];
  let rest = words;
  for (;;) {
    const name = programName(rest[0]);
    const wrapper = name === undefined ? undefined : wrappers.get(name);
    if (name === undefined || wrapper === undefined) return { words: rest, wrappers: taken };
    taken.push(name);
    const script = name === "env" ? splitString(rest.slice(1)) : undefined;
    if (script) return { words: [], script, wrappers: taken };
    rest = afterWrapper(rest.slice(1), wrapper);
  }
}

function afterWrapper(words: readonly ShellWord[], wrapper: Wrapper): readonly ShellWord[] {
  let at = 0;
  for (; at < words.length; at++) {
    const word = words[at];
    const text = word?.prefix ?? "";
    if (word?.value === "--") {
      at++;
      break;
    }
    if (!text.startsWith("-") || text === "-") break;
    if (!text.startsWith("--") && wrapper.inert.some((letter) => text.includes(letter))) return [];
    if (takesNext(word?.value, wrapper)) at++;
  }
  while (wrapper.assignments && /^[A-Za-z_][A-Za-z0-9_]*=/.test(words[at]?.prefix ?? "")) at++;
  return words.slice(at + wrapper.positional);
}

/** `-u bob`, `-Eu bob` and `--user bob`, but not `-ubob` and `--user=bob`. */
function takesNext(option: string | undefined, wrapper: Wrapper): boolean {
  if (option === undefined) return false;
  if (option.startsWith("--")) return wrapper.valued.includes(option);
  const letters = option.slice(1).split("");
  const valued = letters.findIndex((letter) => wrapper.valued.includes(`-${letter}`));
  return valued !== -1 && valued === letters.length - 1;
}

function splitString(words: readonly ShellWord[]): ShellWord | undefined {
  const at = words.findIndex((word) => word.value === "-S" || word.value === "--split-string");
  const isOption = at !== -1 && words.slice(0, at).every((word) => word.prefix.startsWith("-"));
  return isOption ? words[at + 1] : undefined;
}
