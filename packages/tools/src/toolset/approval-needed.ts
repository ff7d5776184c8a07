import type { PreparedCall } from "./finalized-toolset.ts";

/** Why a host that asks nobody refuses this call; undefined where nothing has to be asked. */
export function approvalNeeded({ escalation, danger }: PreparedCall): string | undefined {
  if (escalation) {
    return "sandboxPermissions need a user's approval, and nobody is asked here. Nothing was done. Use paths the session may write, or report the paths that are needed.";
  }
  if (danger) {
    return `\`${danger.text}\` deletes (${danger.key}) and needs a user's approval, and nobody is asked here. Nothing was done. Remove single files with plain rm, or report what should be deleted.`;
  }
  return undefined;
}
