import type { GlobEvents, GrepEvents, GrepRequest, SearchScope } from "../search/search-backend.ts";

/** A search of a directory, with nothing asked for in particular and no end. */
export function searchScopeOf(root: string, extra: Partial<SearchScope> = {}): SearchScope {
  return {
    root,
    rootKind: "directory",
    shownPrefix: "",
    ignoreBoundary: root,
    excludedPaths: [],
    skippedDirectories: [],
    includeHidden: false,
    budget: {},
    deadline: Infinity,
    signal: new AbortController().signal,
    ...extra,
  };
}

export function grepRequestOf(root: string, pattern: string, extra: Partial<GrepRequest> = {}): GrepRequest {
  return { ...searchScopeOf(root), pattern, glob: undefined, mode: "content", ignoreCase: false, multiline: false, contextLines: 0, maxLinesAFile: 50, maxLineBytes: 2000, ...extra };
}

/** Takes everything and keeps nothing. */
export const heedless: GrepEvents & GlobEvents = { file: () => undefined, list: () => undefined, linesFull: () => false, listFull: () => false };
