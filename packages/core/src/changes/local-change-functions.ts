import type { SessionContext } from "@fencepost/tools";
import type { ChangeFunctions } from "./move-changes.ts";
import { refusedChange } from "./move-changes.ts";

/** Undo and reapply on the session's own disk. */
export function localChangeFunctions(_session: SessionContext): ChangeFunctions {
  return { move: async () => refusedChange("unavailable", "This build cannot move file changes.") };
}
