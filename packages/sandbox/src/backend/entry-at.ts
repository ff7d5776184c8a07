import { lstatSync, realpathSync } from "node:fs";
import { forFs, type BytePath } from "./byte-path.ts";

export type EntryKind = "directory" | "file" | "link" | "other";

/** What stands at a path, a link not followed; undefined where there is nothing, or nothing that can be seen. */
export function kindAt(path: BytePath): EntryKind | undefined {
  try {
    const stats = lstatSync(forFs(path), { throwIfNoEntry: false });
    if (stats === undefined) return undefined;
    if (stats.isDirectory()) return "directory";
    if (stats.isFile()) return "file";
    return stats.isSymbolicLink() ? "link" : "other";
  } catch {
    return undefined;
  }
}

/** Where a path leads; undefined where there is nothing, or a link that leads to nothing. */
export function realPathAt(path: BytePath): BytePath | undefined {
  // Most of what is asked for does not exist, and asking so is much cheaper than resolving it.
  if (kindAt(path) === undefined) return undefined;
  try {
    return realpathSync.native(forFs(path), "latin1");
  } catch {
    return undefined;
  }
}
