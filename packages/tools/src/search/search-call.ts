import { failed, invalidInputPrefix, type ToolResult } from "@fencepost/contract";
import { fileCall, isRefusal } from "../files/file-call.ts";
import type { CallContext } from "../context/call-context.ts";
import type { SessionContext } from "../context/session-context.ts";
import { FileFault, toFault } from "../files/file-fault.ts";
import type { CheckedPath } from "../paths/checked-path.ts";
import { holdsProcessState } from "../paths/process-state.ts";
import { resolvePath } from "../paths/resolve-path.ts";
import { SearchFault } from "./search-backend.ts";

export interface SearchPlace {
  readonly path: CheckedPath;
  readonly kind: "file" | "directory";
}

/** Resolves the place to search and runs `work` on it: whatever goes wrong becomes the call's result. */
export function searchCall(session: SessionContext, call: CallContext, input: string, work: (place: SearchPlace) => Promise<ToolResult>): Promise<ToolResult> {
  return fileCall(async () => {
    const path = await resolvePath(input, "read", "placeMustExist", session, call.policy);
    if (isRefusal(path)) return path.refused;
    try {
      return await work({ path, kind: await kindOf(session, path) });
    } catch (error) {
      if (call.signal.aborted) return failed("cancelled", "The search was cancelled.");
      if (!SearchFault.isInstance(error)) throw error;
      return faultResult(error);
    }
  });
}

function faultResult({ reason, message }: SearchFault): ToolResult {
  if (reason.kind === "closed") return failed("cancelled", `The search was ended: ${message}.`);
  if (reason.kind === "failed") return failed("execution_failed", `${message.replace(/\.$/u, "")}. Search again, and narrow the path or the glob if it fails again.`);
  return failed("invalid_arguments", `${invalidInputPrefix}\`${reason.field}\` cannot be used: ${message}`);
}

async function kindOf(session: SessionContext, path: CheckedPath): Promise<SearchPlace["kind"]> {
  const stat = await session.fileSystem.lstat(path.real).catch((error: unknown) => {
    throw toFault(error, path.shown, "search");
  });
  if (stat.kind === "directory" && holdsProcessState(path.real)) {
    throw new FileFault("not_a_file", `${path.shown} shows the processes of the host and is not searched. Name a single file there, such as /proc/cpuinfo.`);
  }
  if (stat.kind === "file" || stat.kind === "directory") return stat.kind;
  throw new FileFault("not_a_file", `${path.shown} is a ${stat.kind}, not a file or a directory, and cannot be searched. Name a file or a directory.`);
}
