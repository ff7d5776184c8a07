import type { NewestFile } from "./messages.ts";

/** What became of the files that a thread was given. */
export interface FileCounts {
  filesSearched: number;
  unreadable: number;
  binary: number;
  oversized: number;
  /** Matched, then turned out to be binary or too large: the rest was not searched. */
  cutShort: number;
  /** Matching lines of the one file that was named, and is binary. */
  binaryMatches: number;
  /** Lines that match if the pattern is read in another way, and files in which that was not looked for. */
  otherCaseLines: number;
  plainTextLines: number;
  anyLineEndLines: number;
  secondLookSkipped: number;
  /** Matching lines, or files that fit. */
  found: number;
}

export const noCounts: Readonly<FileCounts> = { filesSearched: 0, unreadable: 0, binary: 0, oversized: 0, cutShort: 0, binaryMatches: 0, otherCaseLines: 0, plainTextLines: 0, anyLineEndLines: 0, secondLookSkipped: 0, found: 0 };

/** What is done with each file of a search, on one thread. */
export interface FileWork {
  readonly counts: Readonly<FileCounts>;
  /** The newest of the files that fit, where that is asked for. */
  readonly newest: readonly NewestFile[];
  /** @param path below the root; "" is the root itself, where that is a file */
  file(path: string): void;
  /** The search is over for this thread. */
  rest(): void;
}
