import { reapplyChanges, undoChanges, type SessionContext } from "@fencepost/tools";
import type { ChangeFunctions } from "./move-changes.ts";

/** Undo and reapply on the session's own disk. */
export function localChangeFunctions(session: SessionContext): ChangeFunctions {
  return { move: (direction, changes, policy) => (direction === "undo" ? undoChanges : reapplyChanges)(session, changes, policy) };
}
