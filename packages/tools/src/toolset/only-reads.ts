import { effectiveRisk } from "@fencepost/contract";
import type { PreparedCall } from "./finalized-toolset.ts";

/** Whether a call can have changed nothing, by what its tool declares and what it said of this call. */
export function onlyReads({ tool, facts }: Pick<PreparedCall, "tool" | "facts">): boolean {
  return effectiveRisk(tool.risk, tool.capabilities) === "read_only" && facts.kind === "read_only";
}

/** What to do after such a call failed as nobody foresaw. */
export const nothingChanged = "Nothing was changed; try again, or report the failure if it goes on.";
