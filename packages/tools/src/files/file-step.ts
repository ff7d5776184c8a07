import type { CheckedPath } from "../paths/checked-path.ts";
import type { JournalEntry } from "./commit-journal.ts";
import type { FileWork } from "./file-work.ts";

/** One change of one file. `before`: SHA-256 (hex) of what must be on the disk; null where nothing may be. */
export type FileStep = WriteStep | RemoveStep | MoveStep;

export interface WriteStep {
  readonly kind: "write";
  readonly path: CheckedPath;
  readonly before: string | null;
  readonly after: Uint8Array;
  /** Default: the existing file's, or for a new one what the umask leaves of 0666. */
  readonly permissions?: number | undefined;
}

export interface RemoveStep {
  readonly kind: "remove";
  readonly path: CheckedPath;
  readonly before: string;
  /** Directories to remove afterwards where they are empty: those that came with the file. */
  readonly madeDirectories?: readonly string[];
}

export interface MoveStep {
  readonly kind: "move";
  readonly path: CheckedPath;
  readonly to: CheckedPath;
  readonly before: string;
}

export interface StepOutcome {
  readonly permissions: number;
  /** Directories made for it, outermost first. */
  readonly madeDirectories: readonly string[];
  /** How many other names (hard links) keep the old content. */
  readonly otherNames: number;
}

/** Takes one step back. */
export type Rollback = () => Promise<void>;

/** What one step is carried out with. */
export interface StepTools {
  readonly work: FileWork;
  /** Name beside a step's file for its old content; undefined where nothing has to be taken back. */
  readonly backup: string | undefined;
  /** Called before anything changes that cannot be seen to be half done. */
  readonly remember: (entries: readonly JournalEntry[]) => Promise<void>;
  readonly onRollback: (rollback: Rollback) => void;
  readonly signal: AbortSignal | undefined;
}
