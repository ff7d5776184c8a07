import type { ToolResult } from "@fencepost/contract";
import { dirname } from "node:path/posix";
import { Type } from "typebox";
import type { CallContext } from "../context/call-context.ts";
import type { SessionContext } from "../context/session-context.ts";
import { carryOut } from "../files/carry-out.ts";
import { fileChange } from "../files/file-change.ts";
import { FileFault, toFault } from "../files/file-fault.ts";
import { loadState } from "../files/load-state.ts";
import { lockFiles } from "../files/lock-files.ts";
import { requireItself } from "../files/require-itself.ts";
import type { CheckedPath } from "../paths/checked-path.ts";
import { resolvePath } from "../paths/resolve-path.ts";
import { defineTool } from "../toolset/define-tool.ts";
import { changeResult } from "./change-result.ts";
import { fileCall, isRefusal } from "../files/file-call.ts";
import { ChangesData } from "./result-data.ts";

const Input = Type.Object(
  {
    from: Type.String({ minLength: 1, description: "File to rename" }),
    to: Type.String({ minLength: 1, description: "Its new path, where nothing may be" }),
  },
  { additionalProperties: false },
);

const description = "Rename or move one file. The new path must be free and its directory must exist: nothing is ever overwritten.";

export const renameFileTool = defineTool({
  id: "rename_file",
  description,
  risk: "workspace_mutation",
  capabilities: ["filesystem.read", "filesystem.write"],
  family: "files",
  escalates: true,
  inputSchema: Input,
  resultSchema: ChangesData,
  examples: [{ from: "src/old-name.ts", to: "src/new-name.ts" }],
  inspect: ({ from, to }) => ({ kind: "writes", targets: [from, to] }),
  execute: (session, call, input) =>
    fileCall(async () => {
      const from = await resolvePath(input.from, "write", "mustExist", session, call.policy);
      if (isRefusal(from)) return from.refused;
      const to = await resolvePath(input.to, "write", "mayCreate", session, call.policy);
      if (isRefusal(to)) return to.refused;
      await requireItself(session.fileSystem, from);
      return lockFiles(session, [from, to], () => renameLocked(session, call, { from, to, input }), call.signal);
    }),
});

interface Renaming {
  readonly from: CheckedPath;
  readonly to: CheckedPath;
  readonly input: { readonly from: string; readonly to: string };
}

async function renameLocked(session: SessionContext, call: CallContext, { from, to, input }: Renaming): Promise<ToolResult> {
  const { fileSystem, observations } = session;
  const before = await loadState(fileSystem, from, call.signal);
  if (before === null) throw new FileFault("missing", `${from.shown} does not exist. Use glob to find the file.`);
  const occupied = await fileSystem.lstat(to.real).then(() => true, () => false);
  if (occupied) throw new FileFault("exists", `${to.shown} exists already, and a rename never overwrites. Choose another name, or delete it first.`);
  await requireDirectory(session, to);
  const [outcome] = await carryOut(session, [{ kind: "move", path: from, to, before: before.hash }], call.signal);
  const seen = observations.get(from.real);
  observations.forget(from.real);
  if (seen !== undefined) observations.record(to.real, seen);
  const side = { hash: before.hash, content: before.bytes };
  const change = fileChange({
    changeId: call.callId,
    path: input.to,
    real: to,
    from: { path: input.from, real: from },
    before: side,
    after: side,
    ...(outcome && { permissions: outcome.permissions }),
  });
  return changeResult(session, `Renamed ${from.shown} to ${to.shown}`, [change]);
}

async function requireDirectory({ fileSystem }: SessionContext, to: CheckedPath): Promise<void> {
  const parent = await fileSystem.lstat(dirname(to.real)).catch((error: unknown) => {
    const fault = toFault(error, to.shown, "write");
    if (fault instanceof FileFault && fault.kind === "missing") return undefined;
    throw fault;
  });
  if (parent?.kind !== "directory") throw new FileFault("missing", `The directory of ${to.shown} does not exist, and a rename makes none. Use a directory that exists, or make it with bash.`);
}
