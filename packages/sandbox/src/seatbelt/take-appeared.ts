import type { SandboxCommand } from "../backend/backend.ts";
import { toBytes, type BytePath } from "../backend/byte-path.ts";
import { inParent } from "../quarantine/directory-handle.ts";
import { sweepNotes } from "../quarantine/notes.ts";
import { QuarantineCall } from "../quarantine/quarantine-call.ts";
import { pruneQuarantine } from "../quarantine/quarantine-list.ts";

/**
 * Moves protected names to quarantine that came with a directory: a rename asks about the directory and not about what
 * is in it, so no rule can refuse that. Called once the command's processes are gone. Returns the lines for the model.
 */
export function takeAppeared({ policy, sessionId, callId }: Pick<SandboxCommand, "policy" | "sessionId" | "callId">, paths: readonly BytePath[]): readonly string[] {
  if (paths.length === 0) return [];
  const { stateHome } = policy.environment;
  const quarantine = new QuarantineCall(stateHome, sessionId, callId, toBytes(policy.workspaceRoot));
  const found = { moved: new Array<BytePath>(), restored: [], aside: new Array<BytePath>(), stuck: new Array<BytePath>() };
  for (const path of paths) {
    try {
      if (inParent(path, (parent, name) => quarantine.take(parent, name, path)) === true) found.moved.push(path);
    } catch {
      found[quarantine.setAside(path) ? "aside" : "stuck"].push(path);
    }
  }
  pruneQuarantine(stateHome);
  return sweepNotes(found, quarantine.directory, policy.workspaceRoot);
}
