import { canonicalWorkspace } from "@fencepost/sandbox";
import { UsageError } from "../cli/usage-error.ts";

/** The canonical workspace directory. A usage error where it is missing or no directory. */
export function workspaceDirectory(given: string | undefined): string {
  const workspace = canonicalWorkspace(given ?? ".");
  if ("error" in workspace) throw new UsageError(workspace.error);
  return workspace.path;
}
