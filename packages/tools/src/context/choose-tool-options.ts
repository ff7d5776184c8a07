import type { CommandOptions } from "../commands/command-options.ts";
import type { SearchBudget } from "../search/search-backend.ts";
import { defaultToolOptions, type ToolOptions } from "./tool-options.ts";

/** What a host chooses of `ToolOptions`; the rest is as `defaultToolOptions` has it. */
export type ToolChoices = Partial<Omit<ToolOptions, "commands">> & { readonly commands?: Partial<CommandOptions> };

/** Options that are one of a few words. */
const words: Readonly<Record<string, readonly string[]>> = {
  writeExisting: ["after-read", "refuse"] satisfies ToolOptions["writeExisting"][],
  editMatching: ["exact", "tolerant"] satisfies ToolOptions["editMatching"][],
  echoDiff: ["none", "hunks"] satisfies ToolOptions["echoDiff"][],
  readScope: ["host-except-credentials", "workspace"] satisfies ToolOptions["readScope"][],
  antiHang: ["none", "background", "all"] satisfies CommandOptions["antiHang"][],
};

/**
 * A host's choices over the defaults.
 *
 * @throws {Error} one line: a name, a word or a type that no option has. Passed over, it would leave less guarded what the host wanted guarded
 */
export function chooseToolOptions(choices: ToolChoices = {}): ToolOptions {
  const { commands, ...rest } = choices;
  const options = { ...over(defaultToolOptions, rest, ""), commands: Object.freeze(over(defaultToolOptions.commands, commands ?? {}, "commands.")) };
  over(noBudget, options.scanBudget, "scanBudget.");
  checkNumbers(options, "");
  checkNumbers(options.scanBudget, "scanBudget.");
  const path = options.extraSkipDirs.find((name) => typeof name !== "string" || name === "" || name.includes("/"));
  if (path !== undefined) throw new Error(`the tool option extraSkipDirs held ${JSON.stringify(path)}; expected names of directories, without a slash`);
  return Object.freeze(options);
}

/** What a budget may bound: the values only say that each is a number. */
const noBudget: Required<SearchBudget> = { maxFiles: Infinity, maxBytes: Infinity, maxFileBytes: Infinity };

/** Refuses what no count or time can be. */
function checkNumbers(chosen: object, prefix: string): void {
  for (const [name, value] of Object.entries(chosen)) {
    if (typeof value === "number" && !(value >= 0)) throw new Error(`the tool option ${prefix}${name} was ${value}; expected 0 or more`);
  }
}

function over<Options extends object>(defaults: Options, chosen: Partial<Options>, prefix: string): Options {
  const given = Object.entries(chosen).filter(([, value]) => value !== undefined);
  const known = new Map<string, unknown>(Object.entries(defaults));
  for (const [name, value] of given) {
    if (!known.has(name)) throw new Error(`there is no tool option ${prefix}${name}; the options are ${[...known.keys()].join(", ")}`);
    const expected = words[name] ? words[name].map((word) => JSON.stringify(word)).join(" or ") : kindOf(known.get(name));
    if (!(words[name] ? words[name].some((word) => word === value) : kindOf(value) === expected)) throw new Error(`the tool option ${prefix}${name} was ${JSON.stringify(value)}; expected ${expected}`);
  }
  return { ...defaults, ...Object.fromEntries(given) };
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
