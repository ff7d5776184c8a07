import type { ThreadJob } from "./messages.ts";
import type { WalkOptions } from "./walk.ts";

export function walkOptions(job: ThreadJob): WalkOptions {
  return {
    root: job.root,
    ignoreBoundary: job.ignoreBoundary,
    onPlainDisk: job.onPlainDisk,
    excludedPaths: new Set(job.excludedPaths),
    skippedDirectories: new Set(job.skippedDirectories),
    includeHidden: job.includeHidden,
    glob: undefined,
    visitsIgnored: false,
  };
}
