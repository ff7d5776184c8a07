import { join } from "node:path";

/** `<stateHome>/spill`: one directory a session in it. */
export function spillRoot(stateHome: string): string {
  return join(stateHome, "spill");
}
