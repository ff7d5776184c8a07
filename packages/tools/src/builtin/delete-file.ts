import type { ToolResult } from "@fencepost/contract";
import { Type } from "typebox";
import type { CallContext } from "../context/call-context.ts";
import type { SessionContext } from "../context/session-context.ts";
import { carryOut } from "../files/carry-out.ts";
import { fileChange } from "../files/file-change.ts";
import { FileFault } from "../files/file-fault.ts";
import { lockFiles } from "../files/lock-files.ts";
import { requireItself } from "../files/require-itself.ts";
import { requireObserved } from "../files/require-observed.ts";
import { loadTextTarget } from "../files/text-target.ts";
import type { CheckedPath } from "../paths/checked-path.ts";
import { resolvePath } from "../paths/resolve-path.ts";
import { defineTool } from "../toolset/define-tool.ts";
import { changeResult } from "./change-result.ts";
import { fileCall, isRefusal } from "../files/file-call.ts";
import { ChangesData } from "./result-data.ts";

const Input = Type.Object({ path: Type.String({ minLength: 1, description: "File to delete" }) }, { additionalProperties: false });

const description = "Delete one text file. It must have been read first; its content is kept, so that the user can undo it. Directories are not deleted.";

export const deleteFileTool = defineTool({
  id: "delete_file",
  description,
  risk: "workspace_mutation",
  capabilities: ["filesystem.read", "filesystem.write"],
  family: "files",
  escalates: true,
  inputSchema: Input,
  resultSchema: ChangesData,
  examples: [{ path: "src/unused.ts" }],
  inspect: ({ path }) => ({ kind: "writes", targets: [path] }),
  execute: (session, call, input) =>
    fileCall(async () => {
      const path = await resolvePath(input.path, "write", "mustExist", session, call.policy);
      if (isRefusal(path)) return path.refused;
      await requireItself(session.fileSystem, path);
      return lockFiles(session, [path], () => deleteLocked(session, call, path, input.path), call.signal);
    }),
});

async function deleteLocked(session: SessionContext, call: CallContext, path: CheckedPath, given: string): Promise<ToolResult> {
  const before = await loadTextTarget(session.fileSystem, path);
  if (before === null) throw new FileFault("missing", `${path.shown} does not exist. Use glob to find the file.`);
  requireObserved(session.observations, path, before.hash);
  const [outcome] = await carryOut(session, [{ kind: "remove", path, before: before.hash }], call.signal);
  session.observations.forget(path.real);
  const change = fileChange({
    changeId: call.callId,
    path: given,
    real: path,
    before: { hash: before.hash, content: before.bytes },
    after: null,
    ...(outcome && { permissions: outcome.permissions }),
  });
  return changeResult(session, `Deleted ${path.shown} (-${change.deletions})`, [change]);
}
