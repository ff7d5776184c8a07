import { commandTree, type ReachedCommand } from "./command-tree.ts";
import type { DangerousCommand } from "./dangerous-command.ts";
import { deletionOf } from "./deletion-rules.ts";

/**
 * The first sub-command of a script that deletes or forces. It warns a person before a command runs; it never allows
 * anything, and a script it cannot judge (too long, not valid bash, a program known only at run time) has no finding.
 */
export function findDangerousCommand(script: string): DangerousCommand | undefined {
  const tree = commandTree(script);
  if (tree === undefined) return undefined;
  for (const command of tree.commands) {
    const key = deletionOf(command.words);
    if (key !== undefined) return report(key, command, script);
  }
  return tree.tooDeep && report("nesting_too_deep", tree.tooDeep, script);
}

function report(key: DangerousCommand["key"], { start, end }: ReachedCommand, script: string): DangerousCommand {
  const bytesBefore = Buffer.byteLength(script.slice(0, start));
  const text = script.slice(start, end);
  return { key, span: { start: bytesBefore, end: bytesBefore + Buffer.byteLength(text) }, text };
}
