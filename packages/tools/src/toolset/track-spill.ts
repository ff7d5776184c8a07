import type { SpillDirectory, SpillWriter } from "../spill/spill-directory.ts";

/** A session's spill as one call sees it: what the call leaves unfinished can be removed. */
export interface TrackedSpill extends SpillDirectory {
  discardUnfinished(): Promise<void>;
}

export function trackSpill(spill: SpillDirectory | undefined): TrackedSpill | undefined {
  if (!spill) return undefined;
  const unfinished = new Set<SpillWriter>();
  return {
    path: spill.path,
    open(callId) {
      const writer = spill.open(callId);
      unfinished.add(writer);
      return {
        write: (bytes) => writer.write(bytes),
        finish() {
          unfinished.delete(writer);
          return writer.finish();
        },
        discard() {
          unfinished.delete(writer);
          return writer.discard();
        },
      };
    },
    async discardUnfinished() {
      await Promise.allSettled([...unfinished].map((writer) => writer.discard()));
      unfinished.clear();
    },
  };
}
