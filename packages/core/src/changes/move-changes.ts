import type { FileChange } from "@fencepost/contract";
import type { PathGrant, SandboxPolicy } from "@fencepost/sandbox";
import type { ChangeOutcome } from "../session/session.ts";
import type { ChangeLedger } from "./change-ledger.ts";

export type ChangeDirection = "undo" | "reapply";

/** Carries changes out on the disk, all or nothing: the tools' own functions. */
export interface ChangeFunctions {
  /** `changes` oldest first; the order in which they are carried out is the function's own. */
  move(direction: ChangeDirection, changes: readonly FileChange[], policy: SandboxPolicy): Promise<ChangeOutcome>;
}

/** Undoes or reapplies the named changes under the session's mode and an exact grant for each touched file. */
export async function moveChanges(
  direction: ChangeDirection,
  ids: readonly string[],
  { ledger, functions, policy }: { readonly ledger: ChangeLedger; readonly functions: ChangeFunctions; readonly policy: SandboxPolicy },
): Promise<ChangeOutcome> {
  if (ids.length === 0) return refusedChange("invalid_request", `Name at least one change to ${direction}, by change id or call id.`);
  const { changes, unknown } = ledger.find(ids);
  if (unknown.length > 0) {
    return refusedChange("unknown_change", `This session knows no change ${quoted(unknown)}. Use the change ids or call ids of its file changes.`);
  }
  const undone = direction === "undo";
  const already = changes.filter((change) => change.undone === undone);
  if (already.length > 0) {
    const state = undone ? "is undone already" : "is not undone, so it cannot be applied again";
    return refusedChange("wrong_state", `${quoted(already.map((change) => change.changeId))} ${state}. Nothing was touched.`);
  }
  const outcome = await moved(() => functions.move(direction, changes, policy.withGrants(exactGrants(changes))));
  if (!outcome.error && outcome.conflicts.length === 0) ledger.mark(changes, undone);
  return outcome;
}

/** The functions report what they foresee; whatever else fails leaves the disk in doubt, and is said so. */
async function moved(move: () => Promise<ChangeOutcome>): Promise<ChangeOutcome> {
  try {
    return await move();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return refusedChange("outcome_unknown", `The changes could not be moved (${reason}). Look at the files before going on.`);
  }
}

export function refusedChange(code: string, message: string): ChangeOutcome {
  return { changed: [], conflicts: [], error: { code, message } };
}

function exactGrants(changes: readonly FileChange[]): readonly PathGrant[] {
  const paths = new Set(changes.flatMap((change) => [change.realPath, ...(change.fromRealPath === undefined ? [] : [change.fromRealPath])]));
  return [...paths].map((path) => ({ path, access: "write", scope: "exact" }));
}

function quoted(ids: readonly string[]): string {
  return ids.map((id) => `"${id}"`).join(", ");
}
