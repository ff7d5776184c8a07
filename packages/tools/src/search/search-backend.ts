/**
 * Finds files and the lines in them. The local implementation walks this machine's disk in worker threads; a container
 * or a remote machine can stand behind it just as well. Results arrive in walk order: directories depth first, names by
 * code unit. What it gives is bounded; what it finds is counted in full.
 */
export interface SearchBackend {
  /** @throws SearchFault, or the reason of the request's `signal` where that fires */
  grep(request: GrepRequest, events: GrepEvents): Promise<GrepOutcome>;
  /** @throws SearchFault, or the reason of the request's `signal` where that fires */
  glob(request: GlobRequest, events: GlobEvents): Promise<GlobOutcome>;
  /** Ends the searches that run or wait, each with a `SearchFault` of kind "closed", and refuses further ones the same way. */
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
  /** Also what begins with a dot, except `.git`. */
  readonly includeHidden: boolean;
  readonly budget: SearchBudget;
  /** When it ends at the latest, with what it has: all waiting and the hints included. Milliseconds since the epoch, or `Infinity`. */
  readonly deadline: number;
  readonly signal: AbortSignal;
}

/** What one search may read at most; what is absent is not bounded. */
export interface SearchBudget {
  /** After so many files the search ends, `stopped` by its budget. */
  readonly maxFiles?: number;
  /** After so many bytes read, the same. */
  readonly maxBytes?: number;
  /** A larger file is skipped and counted as oversized. */
  readonly maxFileBytes?: number;
}

/** What a search for lines gives: the lines, the names of the files, or how many lines each has. */
export type GrepMode = "content" | "files_with_matches" | "count";

export interface GrepRequest extends SearchScope {
  /** In Rust's regex syntax. */
  readonly pattern: string;
  /** Only files that it matches, relative to `root`. Without a slash it is the name, at any depth. Not applied where `root` is a file. */
  readonly glob: string | undefined;
  readonly mode: GrepMode;
  readonly ignoreCase: boolean;
  /** A match may span lines: then each line that it touches counts. */
  readonly multiline: boolean;
  /** Lines before and after each matching line that are handed over with it. */
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
  /** Once true it stays true: the lines of files that follow are not looked at, and may be left out. */
  readonly linesFull: () => boolean;
  /** The same of the list. */
  readonly listFull: () => boolean;
}

export interface FileMatches {
  /** As it is shown. */
  readonly path: string;
  /** In mode `files_with_matches` 1, however many there are. */
  readonly matchingLines: number;
  /** In mode `content` only, in order. */
  readonly lines: readonly ShownLine[];
}

export interface ShownLine {
  /** From 1. */
  readonly number: number;
  /** Decoded and cut to `maxLineBytes`, with a mark where it was cut. */
  readonly text: string;
  /** It matches nothing, but lies near a line that does. */
  readonly context: boolean;
  /** The text is not the whole line. */
  readonly cut: boolean;
}

/** Why a search ended before everything was seen. */
export type EarlyEnd = "timeout" | "budget";

/** What a search saw besides its results. */
export interface SearchTally {
  readonly filesSearched: number;
  /** Files and directories. */
  readonly unreadable: number;
  /** Files that are not text, searched only up to where that shows. */
  readonly binary: number;
  /** Files that were skipped because they, or one of their lines, are too large. */
  readonly oversized: number;
  /** Files with matches of which the rest was not searched: it is binary or too large. */
  readonly cutShort: number;
  readonly stopped?: EarlyEnd;
}

export interface GrepOutcome extends SearchTally {
  readonly matchingLines: number;
  readonly files: number;
  /** Why nothing was found, where it is cheap to know. Only for a search that found nothing. */
  readonly hints?: GrepHints;
}

export interface GrepHints {
  readonly ignoredFiles: Count;
  /** Files that `includeHidden` would have searched: those that fit the glob, never of `.git` or an excluded path. */
  readonly hiddenFiles: Count;
  readonly otherCaseLines: Count;
  /** Lines that contain the pattern as it is written, its special characters included. */
  readonly plainTextLines: Count;
  /** With `multiline`, lines that match if line breaks of the pattern fit `\r\n` as well. */
  readonly anyLineEndLines: Count;
  /** The one file named is binary, and this many of its lines match. */
  readonly binaryMatches: Count;
  /** No file fits the glob at all. */
  readonly noFileFitsGlob: boolean;
}

/** A number, and whether there may be more. */
export interface Count {
  readonly atLeast: number;
  readonly exact: boolean;
}

export interface GlobRequest extends SearchScope {
  /** A glob, relative to `root`. */
  readonly pattern: string;
  /** How many of the newest are handed over. */
  readonly maxNewest: number;
}

export interface GlobEvents {
  /** All paths, one a line, in walk order, in pieces. To keep a piece, copy it: its memory is used again. */
  list(bytes: Uint8Array): void;
  /** Once true it stays true: what follows in the list is not looked at, and may be left out. */
  readonly listFull: () => boolean;
}

export interface GlobOutcome extends SearchTally {
  readonly total: number;
  /** Newest first, those without a time last, ties by path. As they are shown. */
  readonly newest: readonly string[];
  /** Why nothing was found, where it is cheap to know. Only for a search that found nothing. */
  readonly hints?: GlobHints;
}

export interface GlobHints {
  readonly ignoredFiles: Count;
  /** Files that would match with `includeHidden`, never of `.git` or an excluded path. */
  readonly hiddenFiles: Count;
  readonly otherCaseFiles: Count;
  readonly deeperFiles: Count;
  /** The pattern is the path of a directory. */
  readonly namesDirectory: boolean;
}

/**
 * Why a search has no result: it cannot be run as asked, and `field` is the input at fault; it went wrong; or its
 * backend was closed meanwhile.
 */
export type SearchFaultReason = { readonly kind: "invalid"; readonly field: "pattern" | "glob" } | { readonly kind: "failed" } | { readonly kind: "closed" };

const marker = Symbol.for("@fencepost/tools/SearchFault");

/** A search without a result. Of an invalid request the message says what to write instead. */
export class SearchFault extends Error {
  override readonly name = "SearchFault";
  readonly [marker] = true;
  readonly reason: SearchFaultReason;

  constructor(reason: SearchFaultReason, message: string) {
    super(message);
    this.reason = reason;
  }

  /** Also of one that another copy of this package made. */
  static isInstance(value: unknown): value is SearchFault {
    return typeof value === "object" && value !== null && marker in value;
  }
}
