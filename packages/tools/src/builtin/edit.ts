import { failed, type FileChange, type ToolResult } from "@fencepost/contract";
import { Type, type Static } from "typebox";
import type { CallContext } from "../context/call-context.ts";
import type { SessionContext } from "../context/session-context.ts";
import { applyEdit, type EditOutcome } from "../edit/apply-edit.ts";
import { changeOne } from "../files/change-one.ts";
import { maxChangeBytes } from "../files/file-change.ts";
import { FileFault } from "../files/file-fault.ts";
import { lockFiles } from "../files/lock-files.ts";
import { requireObserved } from "../files/require-observed.ts";
import { loadTextTarget } from "../files/text-target.ts";
import type { CheckedPath } from "../paths/checked-path.ts";
import { resolvePath } from "../paths/resolve-path.ts";
import { defineTool } from "../toolset/define-tool.ts";
import { changeResult, splitNote } from "./change-result.ts";
import { fileCall, isRefusal } from "../files/file-call.ts";
import { textFault } from "./written-text.ts";
import { ChangesData } from "./result-data.ts";

const Input = Type.Object(
  {
    filePath: Type.String({ minLength: 1, description: "File to edit" }),
    oldString: Type.String({ description: "Text to replace, exactly as in the file, without line numbers; empty creates a new file" }),
    newString: Type.String({ description: "Text to put in its place, literally" }),
    replaceAll: Type.Optional(Type.Boolean({ description: "Replace every occurrence; default false" })),
  },
  { additionalProperties: false },
);

type Input = Static<typeof Input>;

const description = [
  "Replace text in a file. oldString must occur exactly once, unless replaceAll is set; include enough surrounding lines to make it unique.",
  "The file must have been read first. An empty oldString creates a new file with newString as its content.",
].join(" ");

export const editTool = defineTool({
  id: "edit",
  description,
  risk: "workspace_mutation",
  capabilities: ["filesystem.read", "filesystem.write"],
  family: "files",
  escalates: true,
  inputSchema: Input,
  resultSchema: ChangesData,
  examples: [
    { filePath: "src/index.ts", oldString: "const limit = 10;", newString: "const limit = 20;" },
    { filePath: "src/index.ts", oldString: "limit", newString: "maximum", replaceAll: true },
  ],
  inspect: ({ filePath }) => ({ kind: "writes", targets: [filePath] }),
  execute: (session, call, input) =>
    fileCall(async () => {
      const fault = textFault("oldString", input.oldString) ?? textFault("newString", input.newString);
      if (fault) return fault;
      if (input.oldString === input.newString) return failed("execution_failed", "oldString and newString are the same, so there is nothing to change. Give a newString that differs.");
      // Also for an edit: a call before this one may be about to create the file, and holds its lock.
      const path = await resolvePath(input.filePath, "write", "mayCreate", session, call.policy);
      if (isRefusal(path)) return path.refused;
      const work = input.oldString === "" ? createLocked : editLocked;
      return lockFiles(session, [path], () => work(session, call, path, input), call.signal);
    }),
});

async function createLocked(session: SessionContext, call: CallContext, path: CheckedPath, input: Input): Promise<ToolResult> {
  if (await loadTextTarget(session.fileSystem, path)) {
    throw new FileFault("exists", `${path.shown} exists already, and an empty oldString creates a new file. Give the text to replace, or use write to replace the whole file.`);
  }
  const { change } = await changeOne(session, { changeId: call.callId, given: input.filePath, path, before: null, after: Buffer.from(input.newString), signal: call.signal });
  return changeResult(session, `Created ${path.shown} (+${change.additions})`, [change]);
}

async function editLocked(session: SessionContext, call: CallContext, path: CheckedPath, input: Input): Promise<ToolResult> {
  const before = await loadTextTarget(session.fileSystem, path);
  if (before === null) return missing(session, call, path, input);
  requireObserved(session.observations, path, before.hash);
  const edit = applyEdit(before.bytes, {
    name: path.shown,
    oldString: input.oldString,
    newString: input.newString,
    replaceAll: input.replaceAll ?? false,
    matching: session.options.editMatching,
    maxBytes: maxChangeBytes,
  });
  if (!edit.edited) return failed("execution_failed", edit.problem);
  const { change, outcome } = await changeOne(session, { changeId: call.callId, given: input.filePath, path, before, after: edit.bytes, signal: call.signal });
  return changeResult(session, present(path, edit, change, input.replaceAll ?? false) + splitNote(outcome.otherNames), [change]);
}

/** The refusal of a path that must exist: it names what is there under a name like it. */
async function missing(session: SessionContext, call: CallContext, { shown }: CheckedPath, { filePath }: Input): Promise<ToolResult> {
  const path = await resolvePath(filePath, "write", "mustExist", session, call.policy);
  if (isRefusal(path)) return path.refused;
  throw new FileFault("missing", `${shown} does not exist. Use glob to find the file.`);
}

function present(path: CheckedPath, edit: Extract<EditOutcome, { edited: true }>, { additions, deletions }: FileChange, replaceAll: boolean): string {
  const counts = `(+${additions} -${deletions})`;
  const tolerance = edit.tolerance === undefined ? "" : `, matched ${edit.tolerance}`;
  if (replaceAll) return `Replaced ${edit.count} ${edit.count === 1 ? "occurrence" : "occurrences"} in ${path.shown} ${counts}${tolerance}`;
  const lines = edit.firstLine === edit.lastLine ? `${edit.firstLine}` : `${edit.firstLine}-${edit.lastLine}`;
  return `Edited ${path.shown}:${lines} ${counts}${tolerance}`;
}
