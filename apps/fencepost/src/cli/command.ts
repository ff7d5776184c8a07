import type { OptionName } from "./options.ts";
import type { Arguments } from "./parse-arguments.ts";
import type { Terminal } from "./terminal.ts";

/** One command of the command line. Its code is loaded only when it runs: start-up is most of what a short call costs. */
export interface Command {
  readonly name: string;
  /** What follows the name, for help. */
  readonly usage: string;
  /** One line for the list of commands. */
  readonly summary: string;
  readonly details?: readonly string[];
  readonly options: readonly OptionName[];
  /** The least and most words after the name. */
  readonly operands: readonly [least: number, most: number];
  /** Gives the exit code. Throws `UsageError` for what the caller did wrong. */
  run(given: Arguments, terminal: Terminal): Promise<number>;
}
