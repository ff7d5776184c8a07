/**
 * Finds files and the lines in them. The local implementation walks this machine's disk in worker threads; a container
 * or a remote machine can stand behind it just as well. Results arrive in walk order: directories depth first, names by
 * code unit. What it gives is bounded; what it finds is counted in full.
 */
export interface SearchBackend {
  /** @throws SearchFault where the pattern or the glob cannot be used; AbortError where `signal` fires */
  grep(request: GrepRequest, events: GrepEvents): Promise<GrepOutcome>;
  /** @throws SearchFault where the glob cannot be used; AbortError where `signal` fires */
  glob(request: GlobRequest, events: GlobEvents): Promise<GlobOutcome>;
  close(): Promise<void>;
}

/** Where to look, and what never to look at. */
export interface SearchScope {
  /** The real path of a directory or a file, already let through by the fence. */
  readonly root: string;
  readonly rootKind: "directory" | "file";
  /** What stands before a path below `root` when it is shown: "" or a path that ends in "/". For a file: the file itself. */
  readonly shownPrefix: string;
  /** Ignore files above this directory, or above the nearest repository, do not apply. */
  readonly ignoreBoundary: string;
  /** Real paths that are never entered, whatever the root. */
  readonly excludedPaths: readonly string[];
  /** Names of directories that are not entered, unless `root` lies in one. */
  readonly skippedDirectories: readonly string[];
  readonly includeHidden: boolean;
  readonly budget: { readonly maxFiles?: number; readonly maxBytes?: number; readonly maxFileBytes?: number };
  /** When it ends at the latest, with what it has: all waiting and the hints included. Milliseconds since the epoch, or `Infinity`. */
  readonly deadline: number;
  readonly signal: AbortSignal;
}

/** What a search for lines gives: the lines, the names of the files, or how many lines each has. */
export type GrepMode = "content" | "files_with_matches" | "count";

export interface GrepRequest extends SearchScope {
  readonly pattern: string;
  /** Only files that it matches, relative to `root`. Without a slash it is the name, at any depth. Not applied where `root` is a file. */
  readonly glob: string | undefined;
  readonly mode: GrepMode;
  readonly ignoreCase: boolean;
  readonly multiline: boolean;
  readonly contextLines: number;
  /** Lines of one file that are handed over with their text. */
  readonly maxLinesAFile: number;
  /** Bytes of one line that are handed over. */
  readonly maxLineBytes: number;
}

export interface GrepEvents {
  /** A file with matches, in walk order. */
  file(found: FileMatches): void;
  /** The full list of matching lines as `path:line:text`, in pieces: in mode `content` only. To keep a piece, copy it: its memory is used again. */
  list(bytes: Uint8Array): void;
  /** True from when on `lines` and `list` are not looked at any more: they may then be left out. */
  readonly linesFull: () => boolean;
  readonly listFull: () => boolean;
}

export interface FileMatches {
  /** As it is shown. */
  readonly path: string;
  /** In mode `files_with_matches` 1, however many there are. */
  readonly matchingLines: number;
  readonly lines: readonly ShownLine[];
}

export interface ShownLine {
  readonly number: number;
  /** Decoded and cut to `maxLineBytes`, with a mark where it was cut. */
  readonly text: string;
  readonly context: boolean;
  /** The text is not the whole line. */
  readonly cut: boolean;
}

/** What a search saw besides its results. */
export interface SearchTally {
  readonly filesSearched: number;
  readonly unreadable: number;
  readonly binary: number;
  readonly oversized: number;
  /** Set where it ended before everything was seen. */
  readonly stopped?: "timeout" | "budget";
}

export interface GrepOutcome extends SearchTally {
  readonly matchingLines: number;
  readonly files: number;
  /** Why nothing was found, where it is cheap to know. Only for a search that found nothing. */
  readonly hints?: GrepHints;
}

export interface GrepHints {
  readonly ignoredFiles: Count;
  readonly otherCaseLines: Count;
  /** The one file named is binary, and this many of its lines match. */
  readonly binaryMatches: number;
  /** No file fits the glob at all. */
  readonly noFileFitsGlob: boolean;
}

/** A number, and whether there may be more. */
export interface Count {
  readonly atLeast: number;
  readonly exact: boolean;
}

export interface GlobRequest extends SearchScope {
  /** Relative to `root`. */
  readonly pattern: string;
  /** How many of the newest are handed over. */
  readonly maxNewest: number;
}

export interface GlobEvents {
  /** All paths, one a line, in walk order, in pieces. To keep a piece, copy it: its memory is used again. */
  list(bytes: Uint8Array): void;
  readonly listFull: () => boolean;
}

export interface GlobOutcome extends SearchTally {
  readonly total: number;
  /** Newest first, those without a time last, ties by path. As they are shown. */
  readonly newest: readonly string[];
  readonly hints?: GlobHints;
}

export interface GlobHints {
  readonly ignoredFiles: Count;
  readonly otherCaseFiles: Count;
  readonly deeperFiles: Count;
  /** The pattern is the path of a directory. */
  readonly namesDirectory: boolean;
}

/**
 * A search that cannot be run as asked: `field` is the input at fault, the message says what to write instead. "search":
 * it went wrong itself; "closed": its backend was closed meanwhile.
 */
export class SearchFault extends Error {
  override readonly name = "SearchFault";
  readonly field: "pattern" | "glob" | "search" | "closed";

  constructor(field: SearchFault["field"], message: string) {
    super(message);
    this.field = field;
  }
}
