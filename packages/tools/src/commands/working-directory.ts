import { failed, type ToolResult } from "@fencepost/contract";
import type { CallContext } from "../context/call-context.ts";
import type { SessionContext } from "../context/session-context.ts";
import { goneDirectoryText } from "../process/start-failure.ts";
import { resolvePath } from "../paths/resolve-path.ts";

export type WorkingDirectory = { readonly path: string } | { readonly refused: ToolResult };

/** Where a command starts: what the call asks for, through the fence, else the session's directory. */
export async function workingDirectoryOf(session: SessionContext, call: CallContext, asked: string | undefined): Promise<WorkingDirectory> {
  const checked = await resolvePath(asked ?? session.workingDirectory, "read", "placeMustExist", session, call.policy);
  if ("refused" in checked) return { refused: isMissing(checked.refused) ? gone(asked ?? session.workingDirectory) : checked.refused };
  const stat = await session.fileSystem.stat(checked.real).catch(() => undefined);
  if (stat === undefined) return { refused: gone(checked.shown) };
  if (stat.kind !== "directory") {
    return { refused: failed("execution_failed", `The workdir ${checked.shown} is not a directory. Pass a directory, or leave workdir out to start in the workspace.`) };
  }
  return { path: checked.real };
}

function isMissing(refused: ToolResult): boolean {
  return refused.error?.details?.["kind"] === "missing";
}

function gone(path: string): ToolResult {
  return failed("execution_failed", goneDirectoryText(path));
}
