import type { RemoveStep, StepOutcome, StepTools } from "./file-step.ts";
import { hashFile } from "./hash-file.ts";
import { throughParent } from "./hold-parent.ts";
import { changedFault, linkOrRename } from "./put-file.ts";
import { readOnlyFault } from "./stage-file.ts";
import { syncParent } from "./sync-parent.ts";

/** Removes a file, after comparing it. One of several steps only puts it aside, so that it can come back. */
export async function takeFile(step: RemoveStep, { work, backup, onRollback }: StepTools): Promise<StepOutcome> {
  const { fileSystem } = work;
  const { real, shown } = step.path;
  const permissions = await throughParent(fileSystem, real, async (target, at) => {
    const { hash, stat } = await hashFile(fileSystem, target);
    if (hash !== step.before) throw changedFault(shown);
    if ((stat.permissions & 0o222) === 0) throw readOnlyFault(shown);
    if (backup === undefined) await fileSystem.unlink(target);
    else {
      await fileSystem.rename(target, at(backup));
      onRollback(() => throughParent(fileSystem, real, (path, beside) => linkOrRename(fileSystem, beside(backup), path)));
    }
    await syncParent(fileSystem, at("."));
    return stat.permissions;
  });
  return { permissions, madeDirectories: [], otherNames: 0 };
}
