import type { SearchScope } from "../search-backend.ts";
import type { Job, ThreadReport } from "../worker/messages.ts";
import { runSearch, type SearchEvents } from "./run-search.ts";
import { searchPool } from "./search-pool.ts";

/** Runs one kind of work in a scope, in a turn of the pool that the caller has. */
export function runWork(scope: SearchScope, work: Job["work"], events: SearchEvents): Promise<readonly ThreadReport[]> {
  const { root, rootKind, shownPrefix, ignoreBoundary, excludedPaths, skippedDirectories, includeHidden, budget, deadline, signal } = scope;
  const { maxFiles = Number.MAX_SAFE_INTEGER, maxBytes = Number.MAX_SAFE_INTEGER, maxFileBytes = Number.MAX_SAFE_INTEGER } = budget;
  return runSearch(searchPool, {
    job: { root, rootKind, shownPrefix, ignoreBoundary, excludedPaths, skippedDirectories, includeHidden, maxFiles, maxBytes, maxFileBytes, deadline, work },
    signal,
    parallel: rootKind === "directory" && work.kind !== "survey",
    events,
  });
}
