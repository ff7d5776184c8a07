import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** What the heap holds after a full collection, in bytes. */
export function heldHeapBytes(): number {
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  collect();
  collect();
  return process.memoryUsage().heapUsed;
}
