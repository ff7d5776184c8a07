/** What one call did to one file: enough to show it, to undo it and to apply it again. */
export interface FileChange {
  /** The call's id, or `<call id>#<n>` where a call changes several files. */
  readonly changeId: string;
  /** The path as the model gave it. */
  readonly path: string;
  /** The real path that was written: what undo and reapply act on. */
  readonly realPath: string;
  /** Where a renamed file came from, as given. */
  readonly fromPath?: string;
  /** The real path a renamed file came from. */
  readonly fromRealPath?: string;
  readonly kind: "created" | "modified" | "deleted" | "renamed";
  /** Permission bits of the file after the change (before it, for a deletion). */
  readonly mode?: number;
  /** Directories this change made, outermost first, real paths. */
  readonly createdDirs?: readonly string[];
  /** Lines added, exact. */
  readonly additions: number;
  /** Lines removed, exact. */
  readonly deletions: number;
  readonly hunks: readonly Hunk[];
  /** SHA-256 (hex) of the whole file; null where the file is absent on that side. */
  readonly beforeHash: string | null;
  readonly afterHash: string | null;
  readonly beforeContent: string | null;
  readonly afterContent: string | null;
  readonly undone: boolean;
}

/** A run of changed lines with up to three lines of context. Line numbers start at 1. */
export interface Hunk {
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
  readonly lines: readonly HunkLine[];
}

export interface HunkLine {
  readonly kind: "context" | "added" | "removed";
  /** The line without its line break. */
  readonly text: string;
  /** Set on the last line of a side that does not end in a line break. */
  readonly missingNewline?: true;
}
