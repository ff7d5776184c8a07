import { blockOf } from "./block-rules.ts";
import type { BlockedCommand, CommandRule } from "./blocked-command.ts";
import { commandTree, type CommandTree, type ReachedCommand } from "./command-tree.ts";
import { programName } from "./command-wrappers.ts";

export interface BlockChoices {
  readonly blockList: boolean;
  readonly denyRules: readonly CommandRule[];
}

/**
 * The first command that is refused by rule: the fixed list, then the host's rules. An accident guard: what it cannot
 * judge it lets through, and the sandbox holds whatever it lets through.
 */
export function findBlockedCommand(script: string, { blockList, denyRules }: BlockChoices): BlockedCommand | undefined {
  if (!blockList && denyRules.length === 0) return undefined;
  const tree = commandTree(script);
  if (tree === undefined) return undefined;
  const fixed = blockList ? (fixedBlock(tree, script) ?? forkBomb(tree, script)) : undefined;
  return fixed ?? hostBlock(tree, denyRules, script);
}

const reasons: Readonly<Record<Exclude<BlockedCommand["key"], "host_rule">, string>> = {
  sudo: "commands are not run as another user",
  block_device: "block devices are not formatted or written",
  remove_system_root: "system directories are not removed",
  change_system_root: "the mode or owner of system directories is not changed recursively",
  shutdown: "the machine is not shut down or restarted",
  fork_bomb: "a function that multiplies itself is not run",
};

function fixedBlock(tree: CommandTree, script: string): BlockedCommand | undefined {
  for (const command of tree.commands) {
    const key = blockOf(command);
    if (key !== undefined) return report(key, command, script, reasons[key]);
  }
  return undefined;
}

/** A function that runs itself twice or more, and is run: `:(){ :|:& };:`. */
function forkBomb(tree: CommandTree, script: string): BlockedCommand | undefined {
  const bomb = tree.functions.find((found) => found.selfCalls >= 2);
  return bomb && report("fork_bomb", bomb, script, reasons.fork_bomb);
}

function hostBlock(tree: CommandTree, rules: readonly CommandRule[], script: string): BlockedCommand | undefined {
  for (const command of tree.commands) {
    const rule = rules.find((candidate) => matches(candidate, command));
    if (rule) return report("host_rule", command, script, rule.reason);
  }
  return undefined;
}

function matches(rule: CommandRule, { words, wrappers }: ReachedCommand): boolean {
  if (wrappers.includes(rule.program)) return true;
  if (programName(words[0]) !== rule.program) return false;
  const operands = words.slice(1).filter((word) => !word.prefix.startsWith("-"));
  return (rule.subcommand ?? []).every((expected, at) => operands[at]?.value === expected);
}

type Span = Pick<ReachedCommand, "start" | "end">;

function report(key: BlockedCommand["key"], { start, end }: Span, script: string, reason: string): BlockedCommand {
  const text = script.slice(start, end);
  const first = Buffer.byteLength(script.slice(0, start));
  const shown = text.length > 200 ? `${text.slice(0, 200)}…` : text;
  return {
    key,
    span: { start: first, end: first + Buffer.byteLength(text) },
    text,
    message: `Blocked: \`${shown}\`. In this session ${reason}, and nobody can approve it. Reach the goal another way, or ask the user to run it in their own terminal.`,
  };
}
