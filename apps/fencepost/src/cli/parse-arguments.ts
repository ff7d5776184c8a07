import { parseArgs } from "node:util";
import type { SandboxMode } from "@fencepost/sandbox";
import type { Command } from "./command.ts";
import { messageOf } from "./message-of.ts";
import { optionSpec, optionSpecs, type approveValues, type backendNames, optionNames, type OptionName } from "./options.ts";
import { UsageError } from "./usage-error.ts";

/** What a command was given: options that were named, and the words after its name. */
export interface Arguments {
  readonly operands: readonly string[];
  readonly workspace?: string;
  readonly mode?: SandboxMode;
  readonly approve?: (typeof approveValues)[number];
  readonly backend?: (typeof backendNames)[number];
  readonly tools?: string;
  readonly json?: boolean;
  readonly jsonl?: boolean;
  readonly progress?: boolean;
  readonly model?: string;
  readonly resume?: string;
  readonly session?: string;
  readonly http?: boolean;
  readonly port?: string;
  readonly "text-only"?: boolean;
}

export type ParsedLine =
  | { readonly kind: "run"; readonly command: Command; readonly given: Arguments }
  | { readonly kind: "help"; readonly command?: Command }
  | { readonly kind: "version" };

/** Reads a command line. Whatever is wrong with it is a `UsageError` of one line that says what to do instead. */
export function parseArguments(argv: readonly string[], commands: readonly Command[]): ParsedLine {
  const { values, positionals } = split(argv);
  const [name, ...operands] = positionals;
  if (values["version"]) return { kind: "version" };
  if (name === undefined || name === "help") return helpFor(name === "help" ? operands[0] : undefined, commands, values["help"] === true || name === "help" || argv.length === 0);
  const command = find(name, commands);
  if (values["help"]) return { kind: "help", command };
  for (const option of optionNames) if (values[option] !== undefined) checkOption(option, values[option], command);
  checkOperands(operands, command);
  return { kind: "run", command, given: { ...values, operands } };
}

function split(argv: readonly string[]): { values: Record<string, string | boolean | undefined>; positionals: string[] } {
  const options = Object.fromEntries(Object.entries(optionSpecs).map(([name, { type }]) => [name, { type, ...(name === "help" ? { short: "h" } : {}) }]));
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UsageError(explain(error), { cause: error });
  }
}

/** Node's texts are sentences about its own API. */
function explain(error: unknown): string {
  const message = messageOf(error);
  const option = /'(-[^' ]*)/.exec(message)?.[1] ?? "";
  switch (error instanceof Error && "code" in error ? error.code : undefined) {
    case "ERR_PARSE_ARGS_UNKNOWN_OPTION":
      return `unknown option ${option}; \`fencepost --help\` lists the options`;
    case "ERR_PARSE_ARGS_INVALID_OPTION_VALUE":
      return /does not take/.test(message) ? `${option} takes no value` : `${/(--[a-z]+) /.exec(message)?.[1] ?? option} needs a value`;
    default:
      return message.split("\n", 1)[0] ?? "cannot read the command line";
  }
}

function helpFor(name: string | undefined, commands: readonly Command[], asked: boolean): ParsedLine {
  if (!asked) throw new UsageError("no command given; `fencepost --help` lists the commands");
  return name === undefined ? { kind: "help" } : { kind: "help", command: find(name, commands) };
}

function find(name: string, commands: readonly Command[]): Command {
  const command = commands.find((candidate) => candidate.name === name);
  if (command === undefined) throw new UsageError(`unknown command "${name}"; \`fencepost --help\` lists the commands`);
  return command;
}

function checkOption(name: OptionName, value: string | boolean | undefined, command: Command): void {
  if (!command.options.includes(name)) throw new UsageError(`\`fencepost ${command.name}\` has no option --${name}`);
  const { choices, value: placeholder } = optionSpec(name);
  if (value === "") throw new UsageError(`--${name} needs a ${placeholder ?? "value"}`);
  if (choices !== undefined && !choices.includes(String(value))) throw new UsageError(`--${name} was "${String(value)}"; expected ${choices.join(", ")}`);
}

function checkOperands(operands: readonly string[], command: Command): void {
  const [least, most] = command.operands;
  if (operands.length >= least && operands.length <= most) return;
  const problem = operands.length < least ? "something is missing" : `"${operands[most] ?? ""}" is too much`;
  throw new UsageError(`${problem}; expected \`fencepost ${command.name} ${command.usage}\``.trimEnd());
}
