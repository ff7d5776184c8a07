import type { CheckedPath } from "../paths/checked-path.ts";
import { FileFault } from "./file-fault.ts";
import type { Observations } from "./observations.ts";

/** An existing file may be changed only as it was last read or written by this session. */
export function requireObserved(observations: Observations, path: CheckedPath, hash: string): void {
  const seen = observations.get(path.real);
  if (seen === undefined) throw new FileFault("not_observed", `Read ${path.shown} before editing it.`);
  if (seen !== hash) {
    throw new FileFault("changed", `${path.shown} changed since you last read it (by you via bash, or by the user). Read it again before editing.`);
  }
}
