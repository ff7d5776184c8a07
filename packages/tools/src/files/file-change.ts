import { isUtf8 } from "node:buffer";
import type { FileChange, FileChangeArtifact } from "@fencepost/contract";
import type { CheckedPath } from "../paths/checked-path.ts";
import { toHunks } from "./diff/hunks.ts";
import { diffBytes, type LineDiff } from "./diff/line-diff.ts";
import { utf8Text } from "./utf8-text.ts";

/** The largest content a change keeps, in bytes of UTF-8: what can be written, edited and undone. */
export const maxChangeBytes = 1024 * 1024;

/** One side of a change. `content` is null where it is no text of at most 1 MiB: then there is no diff. */
export interface ChangeSide {
  readonly hash: string;
  readonly content: Buffer | null;
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
  const [beforeText, afterText] = [textOf(before), textOf(after)];
  const same = before !== null && before.hash === after?.hash;
  const diff = same ? noDiff : diffBytes(beforeText ?? nothing, afterText ?? nothing);
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
    beforeHash: before && before.hash,
    afterHash: after && after.hash,
    beforeContent: beforeText && utf8Text(beforeText),
    afterContent: afterText && utf8Text(afterText),
    undone: false,
  };
}

const noDiff: LineDiff = { skipped: 0, before: [], after: [], matches: [], additions: 0, deletions: 0 };

const nothing = Buffer.alloc(0);

/** Only what can be written back byte for byte. */
function textOf(side: ChangeSide | null): Buffer | null {
  return side?.content && isUtf8(side.content) ? side.content : null;
}

export function changeArtifact(change: FileChange): FileChangeArtifact {
  return { kind: "file_change", payload: change };
}

function kindOf({ before, after, from }: ChangeFacts): FileChange["kind"] {
  if (from) return "renamed";
  if (before === null) return "created";
  return after === null ? "deleted" : "modified";
}
