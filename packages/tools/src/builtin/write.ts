import { succeeded, type FileChange, type ToolResult } from "@fencepost/contract";
import { Type } from "typebox";
import type { CallContext } from "../context/call-context.ts";
import type { SessionContext } from "../context/session-context.ts";
import { keepForm } from "../edit/keep-form.ts";
import { changeOne } from "../files/change-one.ts";
import { maxChangeBytes } from "../files/file-change.ts";
import { FileFault } from "../files/file-fault.ts";
import { lockFiles } from "../files/lock-files.ts";
import { requireObserved } from "../files/require-observed.ts";
import { loadTextTarget, type TextTarget } from "../files/text-target.ts";
import type { CheckedPath } from "../paths/checked-path.ts";
import { resolvePath } from "../paths/resolve-path.ts";
import { defineTool } from "../toolset/define-tool.ts";
import { changeResult, splitNote } from "./change-result.ts";
import { fileCall, isRefusal } from "../files/file-call.ts";
import { textFault } from "./written-text.ts";
import { ChangesData } from "./result-data.ts";

const Input = Type.Object(
  {
    path: Type.String({ minLength: 1, description: "File to create or replace" }),
    content: Type.String({ description: "The whole new content, at most 1 MiB" }),
  },
  { additionalProperties: false },
);

const description = [
  "Create a file, with its parent directories, or replace the whole content of one.",
  "An existing file must have been read first, and must not have changed since. Prefer edit for changing a part of a file.",
].join(" ");

export const writeTool = defineTool({
  id: "write",
  description,
  risk: "workspace_mutation",
  capabilities: ["filesystem.read", "filesystem.write"],
  family: "files",
  escalates: true,
  inputSchema: Input,
  resultSchema: ChangesData,
  examples: [{ path: "src/new.ts", content: "export const answer = 42;\n" }],
  inspect: ({ path }) => ({ kind: "writes", targets: [path] }),
  execute: (session, call, input) =>
    fileCall(async () => {
      const fault = textFault("content", input.content);
      if (fault) return fault;
      const path = await resolvePath(input.path, "write", "mayCreate", session, call.policy);
      if (isRefusal(path)) return path.refused;
      return lockFiles(session, [path], () => writeLocked(session, call, path, input), call.signal);
    }),
});

async function writeLocked(session: SessionContext, call: CallContext, path: CheckedPath, input: { readonly path: string; readonly content: string }): Promise<ToolResult> {
  const before = await loadTextTarget(session.fileSystem, path);
  const { content, kept } = before ? keepForm(input.content, before.bytes) : { content: input.content, kept: [] };
  const after = Buffer.from(content);
  if (before) {
    if (session.options.writeExisting === "refuse") throw new FileFault("exists", `${path.shown} exists already, and write only creates files in this session. Use edit to change it.`);
    requireObserved(session.observations, path, before.hash);
    if (after.length > maxChangeBytes) throw new FileFault("too_large", `${path.shown} would have ${after.length} bytes with its ${kept.join(" and its ")}, and write takes at most ${maxChangeBytes}. Nothing was written; write less.`);
    if (before.bytes.equals(after)) return succeeded(`${path.shown} unchanged: the content is identical`, { data: { changes: [] } });
  }
  const { change, outcome } = await changeOne(session, { changeId: call.callId, given: input.path, path, before, after, signal: call.signal });
  const notes = [...kept, ...(before && content === "" ? [`now empty (was ${before.bytes.length} bytes)`] : [])].map((note) => `, ${note}`).join("");
  return changeResult(session, present(path, before, change) + notes + splitNote(outcome.otherNames), [change]);
}

function present(path: CheckedPath, before: TextTarget | null, { additions, deletions }: FileChange): string {
  return before ? `Overwrote ${path.shown} (+${additions} -${deletions})` : `Created ${path.shown} (+${additions})`;
}
