import { basename, dirname, join } from "node:path";
import type { FileSystem } from "./file-system.ts";

/**
 * Runs `work` on a real path through its pinned parent: a parent that is swapped for a symlink after the check cannot
 * lead it elsewhere. `at` gives the path of any name in that directory.
 */
export async function throughParent<T>(fileSystem: FileSystem, realPath: string, work: (target: string, at: (name: string) => string) => Promise<T>): Promise<T> {
  const parent = await fileSystem.holdDirectory(dirname(realPath));
  const at = (name: string): string => join(parent.path, name);
  try {
    return await work(at(basename(realPath)), at);
  } finally {
    await parent.close();
  }
}
