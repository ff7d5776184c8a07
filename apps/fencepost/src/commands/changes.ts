import { openSession, type AgentSession, type ChangeOutcome } from "@fencepost/core";
import { exitCodes } from "../cli/exit-code.ts";
import type { Arguments } from "../cli/parse-arguments.ts";
import type { Terminal } from "../cli/terminal.ts";
import { renderChange } from "../view/diff.ts";
import { visibleLine } from "../view/visible.ts";
import { findSession, openStore } from "./stored-session.ts";
import { workspaceDirectory } from "./workspace.ts";

/** `fencepost diff`: the file changes of a stored session, oldest first. */
export async function diff(given: Arguments, terminal: Terminal): Promise<number> {
  return withStoredSession(given, async (session) => {
    const all = session.changes();
    const changes = all.filter((change) => given.operands.length === 0 || given.operands.some((id) => belongsTo(change.changeId, id)));
    const missing = given.operands.filter((id) => !all.some((change) => belongsTo(change.changeId, id)));
    for (const id of missing) terminal.stderr.write(`fencepost: session ${visibleLine(session.id)} has no change "${visibleLine(id)}"; \`fencepost diff\` without an id shows all\n`);
    if (given.json) terminal.stdout.write(`${JSON.stringify(changes)}\n`);
    else if (all.length === 0 && missing.length === 0) terminal.stdout.write(`Session ${visibleLine(session.id)} has no file changes; \`fencepost sessions\` lists the others, --session names one.\n`);
    for (const change of given.json ? [] : changes) {
      const { style } = terminal.out;
      terminal.stdout.write(`${style.dim(visibleLine(change.changeId))}${change.undone ? ` ${style.yellow("undone")}` : ""}\n${renderChange(change, terminal.out).join("\n")}\n`);
    }
    return missing.length === 0 ? exitCodes.succeeded : exitCodes.failed;
  });
}

/** `fencepost undo`: takes changes of a stored session back; without ids, the last one that stands. */
export async function undo(given: Arguments, terminal: Terminal): Promise<number> {
  return withStoredSession(given, async (session) => {
    const standing = session.changes().filter((change) => !change.undone);
    return report(await session.undo(idsOr(given.operands, standing.at(-1)?.changeId, `nothing is left to undo in session ${session.id}`)), "Restored", given, terminal);
  });
}

/** `fencepost reapply`: applies undone changes again; without ids, the one that was made first. */
export async function reapply(given: Arguments, terminal: Terminal): Promise<number> {
  return withStoredSession(given, async (session) => {
    const undone = session.changes().filter((change) => change.undone);
    return report(await session.reapply(idsOr(given.operands, undone[0]?.changeId, `nothing was undone in session ${session.id}`)), "Applied", given, terminal);
  });
}

function belongsTo(changeId: string, id: string): boolean {
  return changeId === id || changeId.startsWith(`${id}#`);
}

function idsOr(given: readonly string[], fallback: string | undefined, nothing: string): readonly string[] {
  if (given.length > 0) return given;
  if (fallback === undefined) throw new Error(nothing);
  return [fallback];
}

function report({ changed, conflicts, error }: ChangeOutcome, verb: string, given: Arguments, { stdout, stderr }: Terminal): number {
  if (given.json) stdout.write(`${JSON.stringify({ changed, conflicts, ...(error && { error }) })}\n`);
  else if (error) stderr.write(`fencepost: ${visibleLine(error.message)}\n`);
  else if (conflicts.length > 0) stderr.write(`fencepost: changed since by someone else, so nothing was touched: ${visibleLine(conflicts.join(", "))}\n`);
  else for (const path of changed) stdout.write(`${verb} ${visibleLine(path)}\n`);
  return error || conflicts.length > 0 ? exitCodes.failed : exitCodes.succeeded;
}

async function withStoredSession(given: Arguments, work: (session: AgentSession) => Promise<number>): Promise<number> {
  const workspace = workspaceDirectory(given.workspace);
  const store = await openStore(workspace);
  try {
    const { sessionId } = await findSession(store, workspace, given.session);
    const session = await openSession({ workspace, store, sessionId, interactive: false });
    try {
      return await work(session);
    } finally {
      await session.close();
    }
  } finally {
    await store.close();
  }
}
