/** One file's part of a patch. Paths as written, without `a/` and `b/`. */
export interface PatchSection {
  readonly kind: "add" | "modify" | "delete" | "rename";
  /** The path before; for `add` the new one. */
  readonly from: string;
  /** The path after; for `delete` the old one. */
  readonly to: string;
  readonly hunks: readonly PatchHunk[];
  /** Header lines that were accepted and have no effect. */
  readonly ignored: readonly string[];
}

export interface PatchHunk {
  /** As its header says: a hint. */
  readonly oldStart: number;
  readonly lines: readonly PatchLine[];
  /** The header's counts do not fit the lines. */
  readonly miscounted: boolean;
}

export interface PatchLine {
  readonly kind: "context" | "added" | "removed";
  readonly text: string;
  /** Followed by `\ No newline at end of file`. */
  readonly missingNewline: boolean;
}
