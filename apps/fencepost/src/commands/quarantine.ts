import { dropQuarantined, listQuarantine, resolveEnvironment, restoreQuarantined } from "@fencepost/sandbox";
import { exitCodes } from "../cli/exit-code.ts";
import type { Arguments } from "../cli/parse-arguments.ts";
import type { Terminal } from "../cli/terminal.ts";
import { UsageError } from "../cli/usage-error.ts";
import { visibleLine } from "../view/visible.ts";
import { workspaceDirectory } from "./workspace.ts";

const usage = "expected `fencepost quarantine list`, `restore <id>` or `drop <id>`";

/** `fencepost quarantine`: what commands left under protected names and Fencepost moved away. Kept for 30 days. */
export async function quarantine(given: Arguments, terminal: Terminal): Promise<number> {
  const [action, id] = given.operands;
  const { stateHome } = resolveEnvironment({ workspaceRoot: workspaceDirectory(given.workspace) });
  if (action === "list" && id === undefined) return list(stateHome, given, terminal);
  if ((action !== "restore" && action !== "drop") || id === undefined) throw new UsageError(usage);
  const outcome = action === "restore" ? restoreQuarantined(stateHome, id) : dropQuarantined(stateHome, id);
  if (given.json) terminal.stdout.write(`${JSON.stringify(outcome)}\n`);
  else if (outcome.done) terminal.stdout.write(`${action === "restore" ? "Restored" : "Dropped"} ${visibleLine(outcome.path)}\n`);
  else terminal.stderr.write(`fencepost: ${visibleLine(outcome.message)}\n`);
  return outcome.done ? exitCodes.succeeded : exitCodes.failed;
}

function list(stateHome: string, given: Arguments, { stdout, out }: Terminal): number {
  const entries = listQuarantine(stateHome);
  if (given.json) stdout.write(`${JSON.stringify(entries)}\n`);
  else if (entries.length === 0) stdout.write("Nothing is in quarantine.\n");
  for (const entry of given.json ? [] : entries) {
    stdout.write(`${out.style.bold(visibleLine(entry.id))}\n  ${visibleLine(entry.path)} (${entry.why === "new" ? "was new" : "was changed"}, ${visibleLine(entry.at)})\n  ${out.style.dim(visibleLine(entry.storedAt))}\n`);
  }
  return exitCodes.succeeded;
}
