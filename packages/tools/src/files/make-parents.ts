import { dirname } from "node:path";
import { FileSystemError, type FileSystem } from "./file-system.ts";
import { throughParent } from "./hold-parent.ts";

/** Makes the missing directories above a real path. Gives those it made, outermost first. */
export async function makeParents(fileSystem: FileSystem, realPath: string): Promise<readonly string[]> {
  const made: string[] = [];
  try {
    for (const directory of await missingParents(fileSystem, realPath)) {
      if (await makeOne(fileSystem, directory)) made.push(directory);
    }
  } catch (error) {
    await removeDirectories(fileSystem, made);
    throw error;
  }
  return made;
}

/** Removes directories that this process made, innermost first, where they are still empty. */
export async function removeDirectories(fileSystem: FileSystem, directories: readonly string[]): Promise<void> {
  for (const directory of directories.toSorted((left, right) => right.length - left.length)) {
    await throughParent(fileSystem, directory, (path) => fileSystem.removeDirectory(path)).catch(() => undefined);
  }
}

/** The directories above a real path that are not there, outermost first. */
export async function missingParents(fileSystem: FileSystem, realPath: string): Promise<readonly string[]> {
  const missing: string[] = [];
  for (let directory = dirname(realPath); ; directory = dirname(directory)) {
    const kind = await kindOf(fileSystem, directory);
    if (kind === "directory") return missing.toReversed();
    if (kind !== undefined) throw new FileSystemError("ENOTDIR", directory, "make directory");
    missing.push(directory);
  }
}

async function kindOf(fileSystem: FileSystem, path: string): Promise<string | undefined> {
  try {
    return (await fileSystem.lstat(path)).kind;
  } catch (error) {
    if (error instanceof FileSystemError && error.code === "ENOENT") return undefined;
    throw error;
  }
}

/** False where somebody else made it in the meantime. */
async function makeOne(fileSystem: FileSystem, directory: string): Promise<boolean> {
  try {
    await throughParent(fileSystem, directory, (path) => fileSystem.makeDirectory(path));
    return true;
  } catch (error) {
    if (error instanceof FileSystemError && error.code === "EEXIST") return false;
    throw error;
  }
}
