import type { MoveStep, StepOutcome, StepTools } from "./file-step.ts";
import { FileFault } from "./file-fault.ts";
import { FileSystemError, type FileSystem } from "./file-system.ts";
import { hashFile } from "./hash-file.ts";
import { throughParent } from "./hold-parent.ts";
import { changedFault, linkOrRename } from "./put-file.ts";
import { syncParent } from "./sync-parent.ts";

/** Gives a file another name; an existing target is never replaced, also not one that appears meanwhile. */
export async function moveFile(step: MoveStep, { work, backup, remember, onRollback, signal }: StepTools): Promise<StepOutcome> {
  const { fileSystem } = work;
  const { path: from, to } = step;
  return throughParent(fileSystem, from.real, (source, fromAt) =>
    throughParent(fileSystem, to.real, async (target, toAt) => {
      const { hash, stat } = await hashFile(fileSystem, source, signal);
      if (hash !== step.before) throw changedFault(from.shown);
      // Between the link and the unlink both names are there. Several steps are in the journal already.
      if (backup === undefined) await remember([{ kind: "move", from: from.real, to: to.real }]);
      await free(fileSystem, source, target, to.shown);
      onRollback(() => throughParent(fileSystem, to.real, (path) => throughParent(fileSystem, from.real, (back) => linkOrRename(fileSystem, path, back))));
      const moved = await fileSystem.lstat(target);
      // The number of a file that is gone may be another's already: its kind is looked at too.
      if (moved.kind !== "file" || moved.inode !== stat.inode || moved.device !== stat.device) throw changedFault(from.shown);
      await syncParent(fileSystem, toAt("."));
      await syncParent(fileSystem, fromAt("."));
      return { permissions: stat.permissions, madeDirectories: [], otherNames: 0 };
    }),
  );
}

async function free(fileSystem: FileSystem, source: string, target: string, shown: string): Promise<void> {
  try {
    await linkOrRename(fileSystem, source, target);
  } catch (error) {
    if (!(error instanceof FileSystemError)) throw error;
    if (error.code === "EEXIST") throw new FileFault("exists", `${shown} exists already, and a rename never overwrites. Choose another name, or delete it first.`);
    if (error.code === "EXDEV") throw new FileFault("refused", `${shown} is on another file system, so the file cannot be renamed to it. Use write to create it there and delete_file for the old one.`);
    throw error;
  }
}
