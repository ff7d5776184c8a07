import type { CheckedPath } from "../paths/checked-path.ts";
import { FileFault } from "./file-fault.ts";
import type { FileSystem } from "./file-system.ts";

/** Deleting or renaming what a symlink leads to is not what its name says: the file has to be named itself. */
export async function requireItself(fileSystem: FileSystem, path: CheckedPath): Promise<void> {
  const entry = await fileSystem.lstat(path.lexical).catch(() => undefined);
  if (entry?.kind === "symlink") throw new FileFault("not_a_file", `${path.shown} is a symlink, not a regular file. Name the file it points to (${path.real}), or remove the link with bash.`);
}
