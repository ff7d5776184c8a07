import { lstatSync } from "node:fs";
import { forDisplay, forFs, type BytePath } from "../backend/byte-path.ts";
import { realPathAt } from "../backend/entry-at.ts";
import { joinPath } from "../policy/paths.ts";

/** Which directory or file a command may write: a path alone may lead elsewhere a moment later. */
export interface PlannedPlace {
  readonly path: BytePath;
  readonly device: bigint;
  readonly inode: bigint;
}

/** Throws where a path that was resolved earlier leads over a link now. */
export function plannedPlaces(paths: readonly BytePath[]): readonly PlannedPlace[] {
  return paths.map((path) => {
    const stats = lstatSync(forFs(path), { bigint: true, throwIfNoEntry: false });
    if (stats === undefined || stats.isSymbolicLink() || realPathAt(path) !== path) throw new Error(`${forDisplay(path)} is no longer the place it was; it leads elsewhere or is gone`);
    return { path, device: stats.dev, inode: stats.ino };
  });
}

/** Whether a sandbox shows the same at these paths. `root`: its root directory, seen from here. */
export function areSamePlaces(places: readonly PlannedPlace[], root: string): boolean {
  return places.every(({ path, device, inode }) => {
    const stats = lstatSync(forFs(joinPath(root, path.slice(1))), { bigint: true, throwIfNoEntry: false });
    return stats !== undefined && stats.dev === device && stats.ino === inode;
  });
}
