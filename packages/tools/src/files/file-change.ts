import type { FileChange, FileChangeArtifact } from "@fencepost/contract";
import type { CheckedPath } from "../paths/checked-path.ts";
import { toHunks } from "./diff/hunks.ts";
import { diffLines } from "./diff/line-diff.ts";
import { sha256 } from "./hash.ts";

/** The largest content a change keeps, in bytes of UTF-8: what can be written, edited and undone. */
export const maxChangeBytes = 1024 * 1024;

/** One side of a change: a file's text, and the bytes it stands for. */
export interface ChangeSide {
  readonly text: string;
  readonly bytes: Uint8Array;
}

export interface ChangeFacts {
  readonly changeId: string;
  /** As the model gave it. */
  readonly path: string;
  readonly real: CheckedPath;
  readonly from?: { readonly path: string; readonly real: CheckedPath };
  readonly before: ChangeSide | null;
  readonly after: ChangeSide | null;
  readonly permissions?: number;
  readonly madeDirectories?: readonly string[];
}

/** What a call did to one file, with its exact diff. */
export function fileChange(facts: ChangeFacts): FileChange {
  const { before, after, from } = facts;
  const diff = diffLines(before?.text ?? "", after?.text ?? "");
  return {
    changeId: facts.changeId,
    path: facts.path,
    realPath: facts.real.real,
    ...(from && { fromPath: from.path, fromRealPath: from.real.real }),
    kind: kindOf(facts),
    ...(facts.permissions !== undefined && { mode: facts.permissions }),
    ...(facts.madeDirectories?.length && { createdDirs: facts.madeDirectories }),
    additions: diff.additions,
    deletions: diff.deletions,
    hunks: toHunks(diff),
    beforeHash: before && sha256(before.bytes),
    afterHash: after && sha256(after.bytes),
    beforeContent: before && before.text,
    afterContent: after && after.text,
    undone: false,
  };
}

export function changeArtifact(change: FileChange): FileChangeArtifact {
  return { kind: "file_change", payload: change };
}

function kindOf({ before, after, from }: ChangeFacts): FileChange["kind"] {
  if (from) return "renamed";
  if (before === null) return "created";
  return after === null ? "deleted" : "modified";
}
