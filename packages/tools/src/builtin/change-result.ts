import { succeeded, type FileChange, type ToolResult } from "@fencepost/contract";
import type { SessionContext } from "../context/session-context.ts";
import { changeArtifact } from "../files/file-change.ts";
import { echoedHunks, renderHunks } from "./echo-diff.ts";

/** The typed value behind a changing tool's text. */
export interface ChangeData {
  readonly changes: readonly Pick<FileChange, "changeId" | "path" | "kind" | "additions" | "deletions">[];
}

/** The result of a call that changed files: its text, an artifact a file, and a diff for people. */
export function changeResult(session: SessionContext, text: string, changes: readonly FileChange[]): ToolResult<ChangeData> {
  const echo = session.options.echoDiff === "hunks" ? echoedHunks(changes) : "";
  return succeeded<ChangeData>(text + echo, {
    artifacts: changes.map(changeArtifact),
    data: { changes: changes.map(({ changeId, path, kind, additions, deletions }) => ({ changeId, path, kind, additions, deletions })) },
    display: { kind: "diff", title: text.split("\n", 1)[0] ?? "", body: renderHunks(changes.flatMap((change) => change.hunks), displayLines).text },
  });
}

const displayLines = 200;

/** For a summary: `; its 2 other names (hard links) keep the old content`, or nothing. */
export function splitNote(otherNames: number): string {
  return otherNames === 0 ? "" : `; ${splitText(otherNames)}`;
}

/** What became of a file that had other names. */
export function splitText(otherNames: number): string {
  return otherNames === 1 ? "its other name (hard link) keeps the old content" : `its ${otherNames} other names (hard links) keep the old content`;
}
