import { reapplyChanges, undoChanges, type SessionContext } from "@fencepost/tools";
import type { ChangeFunctions } from "./move-changes.ts";

/** Undo and reapply with the tools' own functions, on the session's own disk. */
export function localChangeFunctions(session: SessionContext): ChangeFunctions {
  return {
    move: (direction, changes, policy) => (direction === "undo" ? undoChanges(session, changes, policy) : reapplyChanges(session, changes, policy)),
  };
}
