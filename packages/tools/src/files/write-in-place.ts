import type { StepTools, WriteStep } from "./file-step.ts";
import { FileFault } from "./file-fault.ts";
import { FileSystemError, type OpenFile } from "./file-system.ts";
import { sha256 } from "./hash.ts";
import { changedFault } from "./put-file.ts";
import { readAll, withFile, writeAll } from "./read-all.ts";
import { throughParent } from "./hold-parent.ts";

/** The largest file that is written in place, in bytes: its old content is kept in the journal meanwhile. */
export const maxInPlaceBytes = 1024 * 1024;

/**
 * Rewrites a file that cannot be replaced by a rename, such as one that is a mount point. Not atomic by itself: the
 * journal holds both contents, so that the next start repairs what a killed process left half written.
 */
export async function writeInPlace(step: WriteStep, target: string, { work, remember, onRollback }: StepTools): Promise<{ readonly otherNames: number }> {
  const { shown } = step.path;
  if (work.journal === undefined) throw new FileFault("refused", `${shown} cannot be replaced by a rename here (it may be a mount point), and this session keeps no journal to write it in place. Ask the user to change it.`);
  await withFile(work.fileSystem, target, "update", async (file) => {
    const old = await readAll(file, maxInPlaceBytes);
    if (old === null) throw new FileFault("too_large", `${shown} is over 1 MiB and cannot be replaced by a rename here, so it was not changed. Ask the user to change it.`);
    if (sha256(old.bytes) !== step.before) throw changedFault(shown);
    await remember([{ kind: "in-place", path: step.path.real, before: old.bytes.toString("base64"), after: Buffer.from(step.after).toString("base64") }]);
    onRollback(() => throughParent(work.fileSystem, step.path.real, (path) => withFile(work.fileSystem, path, "update", (again) => overwrite(again, old.bytes, path))));
    await overwrite(file, step.after, target);
  });
  return { otherNames: 0 };
}

export async function overwrite(file: OpenFile, bytes: Uint8Array, path: string): Promise<void> {
  await writeAll(file, bytes, path);
  await file.truncate(bytes.length);
  await file.sync();
  if ((await file.stat()).size !== bytes.length) throw new FileSystemError("EIO", path, "write");
}
