import type { StoredSession } from "@fencepost/core";
import { exitCodes } from "../cli/exit-code.ts";
import type { Arguments } from "../cli/parse-arguments.ts";
import type { Terminal } from "../cli/terminal.ts";
import { visibleLine } from "../view/visible.ts";
import { openStore } from "./stored-session.ts";
import { workspaceDirectory } from "./workspace.ts";

/** `fencepost sessions`: the stored sessions, newest first; of one workspace where `--workspace` names it. */
export async function sessions(given: Arguments, { stdout, out }: Terminal): Promise<number> {
  const workspace = workspaceDirectory(given.workspace);
  const store = await openStore(workspace);
  try {
    const found = await store.sessions(given.workspace === undefined ? {} : { workspace });
    if (given.json) stdout.write(`${JSON.stringify(found.map((session) => ({ ...session, createdAt: moment(session) })))}\n`);
    else if (found.length === 0) stdout.write("No sessions are stored.\n");
    for (const session of given.json ? [] : found) {
      stdout.write(`${out.style.bold(session.sessionId)}  ${moment(session)}  ${visibleLine(session.title ?? "")}\n  ${out.style.dim(visibleLine(session.workspace))}\n`);
    }
    return exitCodes.succeeded;
  } finally {
    await store.close();
  }
}

function moment({ createdAt }: StoredSession): string {
  return new Date(createdAt).toISOString();
}
