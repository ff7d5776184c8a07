import { lstatSync } from "node:fs";
import { forFs, type BytePath } from "../backend/byte-path.ts";
import { maxKeptFileBytes } from "../limits.ts";
import type { ProtectedEntry } from "../backend/protected-scan.ts";

export interface FileFacts {
  /** Too large to keep a copy of. */
  readonly mustMount: ReadonlySet<BytePath>;
  /** Files that have other names: a mount on this one does not protect the content. */
  readonly linked: ReadonlySet<BytePath>;
}

/** What has to be known of protected files to choose how each is kept. */
export function fileFacts(entries: readonly ProtectedEntry[]): FileFacts {
  const mustMount = new Set<BytePath>();
  const linked = new Set<BytePath>();
  for (const entry of entries) {
    if (entry.open || entry.kind !== "file") continue;
    const stats = lstatSync(forFs(entry.path), { throwIfNoEntry: false });
    if (stats === undefined) continue;
    if (stats.size > maxKeptFileBytes) mustMount.add(entry.path);
    else if (stats.nlink > 1) linked.add(entry.path);
  }
  return { mustMount, linked };
}
