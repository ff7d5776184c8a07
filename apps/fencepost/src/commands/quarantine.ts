import { resolve } from "node:path";
import { dropQuarantined, listQuarantine, resolveEnvironment, restoreQuarantined, type QuarantineAction, type QuarantinedEntry } from "@fencepost/sandbox";
import { exitCodes } from "../cli/exit-code.ts";
import type { Arguments } from "../cli/parse-arguments.ts";
import type { Terminal } from "../cli/terminal.ts";
import { UsageError } from "../cli/usage-error.ts";
import { visibleLine } from "../view/visible.ts";
import { workspaceDirectory } from "./workspace.ts";

const usage = "expected `fencepost quarantine list`, `restore <what>` or `drop <what>`";

/** `fencepost quarantine`: what commands left under protected names and Fencepost moved away. Kept for 30 days. */
export async function quarantine(given: Arguments, terminal: Terminal): Promise<number> {
  const [action, what] = given.operands;
  const workspace = workspaceDirectory(given.workspace);
  const { stateHome } = resolveEnvironment({ workspaceRoot: workspace });
  if (action === "list" && what === undefined) return list(stateHome, given, terminal);
  if ((action !== "restore" && action !== "drop") || what === undefined) throw new UsageError(usage);
  const act = action === "restore" ? restoreQuarantined : dropQuarantined;
  const outcomes = idsOf(what, workspace, listQuarantine(stateHome)).map((id) => act(stateHome, id));
  for (const outcome of outcomes) report(outcome, action === "restore" ? "Restored" : "Dropped", given, terminal);
  return outcomes.every(({ done }) => done) ? exitCodes.succeeded : exitCodes.failed;
}

/** The entries that are meant: by id, by the directory that a result's note names, or by the path that one had. */
function idsOf(what: string, workspace: string, entries: readonly QuarantinedEntry[]): readonly string[] {
  if (entries.some(({ id }) => id === what)) return [what];
  const path = resolve(workspace, what);
  const kept = entries.filter(({ storedAt }) => `${storedAt}/`.startsWith(`${path}/`));
  if (kept.length > 0) return kept.map(({ id }) => id);
  const ids = entries.filter((entry) => entry.path === path).map(({ id }) => id);
  if (ids.length > 1) throw new UsageError(`${ids.length} entries were ${what}; say which: ${ids.join(", ")}`);
  return ids.length === 0 ? [what] : ids;
}

function report(outcome: QuarantineAction, verb: string, given: Arguments, { stdout, stderr }: Terminal): void {
  if (given.json) stdout.write(`${JSON.stringify(outcome)}\n`);
  else if (outcome.done) stdout.write(`${verb} ${visibleLine(outcome.path)}\n`);
  else stderr.write(`fencepost: ${visibleLine(outcome.message)}\n`);
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
