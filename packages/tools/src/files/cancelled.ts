import { FileFault } from "./file-fault.ts";

/** For every point up to which nothing has changed, or all of it is taken back: a cancelled call leaves the disk as it is. */
export function throwIfCancelled(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new FileFault("cancelled", "The call was cancelled. Nothing was written.");
}
