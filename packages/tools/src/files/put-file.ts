import type { StepOutcome, StepTools, WriteStep } from "./file-step.ts";
import { FileFault } from "./file-fault.ts";
import { FileSystemError, type FileSystem } from "./file-system.ts";
import { hashFile } from "./hash-file.ts";
import { sha256 } from "./hash.ts";
import { throughParent } from "./hold-parent.ts";
import { readAll, withFile, writeAll } from "./read-all.ts";
import type { StagedFile } from "./stage-file.ts";
import { syncParent } from "./sync-parent.ts";
import { writeInPlace } from "./write-in-place.ts";

/** Puts staged content where it belongs, after comparing the disk with what the step expects. */
export function putFile(step: WriteStep, staged: StagedFile | undefined, tools: StepTools): Promise<StepOutcome> {
  if (staged === undefined) throw new Error("a write step is staged before it is put");
  return throughParent(tools.work.fileSystem, step.path.real, async (target, at) => {
    const temporary = staged.name === undefined ? undefined : at(staged.name);
    const outcome = step.before === null ? await create(step, target, temporary, tools) : await replace(step, step.before, target, temporary, at, tools);
    await syncParent(tools.work.fileSystem, at("."));
    return { permissions: staged.permissions, madeDirectories: staged.madeDirectories, ...outcome };
  });
}

async function create(step: WriteStep, target: string, temporary: string | undefined, { work, onRollback }: StepTools): Promise<{ readonly otherNames: number }> {
  const { fileSystem } = work;
  if (temporary === undefined) throw new Error("a new file is always staged");
  try {
    await linkOrRename(fileSystem, temporary, target);
  } catch (error) {
    if (error instanceof FileSystemError && error.code === "EEXIST") throw appearedFault(step.path.shown);
    throw error;
  }
  onRollback(() => throughParent(fileSystem, step.path.real, async (path) => {
    await requireUntouched(fileSystem, path, step);
    await fileSystem.unlink(path);
  }));
  return { otherNames: 0 };
}

async function replace(
  step: WriteStep,
  before: string,
  target: string,
  temporary: string | undefined,
  at: (name: string) => string,
  tools: StepTools,
): Promise<{ readonly otherNames: number }> {
  const { fileSystem } = tools.work;
  const { hash, stat } = await hashFile(fileSystem, target);
  if (hash !== before) throw changedFault(step.path.shown);
  if (temporary === undefined) return writeInPlace(step, target, tools);
  const backup = tools.backup;
  if (backup !== undefined) await keep(fileSystem, target, at(backup), stat.permissions);
  try {
    await fileSystem.rename(temporary, target);
  } catch (error) {
    if (error instanceof FileSystemError && mountedCodes.has(error.code)) return writeInPlace(step, target, tools);
    throw error;
  }
  if (backup !== undefined) {
    tools.onRollback(() => throughParent(fileSystem, step.path.real, async (path, beside) => {
      await requireUntouched(fileSystem, path, step);
      await fileSystem.rename(beside(backup), path);
    }));
  }
  // None where somebody removed the file while it was compared.
  return { otherNames: Math.max(0, stat.links - 1) };
}

/** Only what is still as the step left it is taken back: what somebody wrote since is theirs. */
async function requireUntouched(fileSystem: FileSystem, path: string, { path: { shown }, after }: WriteStep): Promise<void> {
  if ((await hashFile(fileSystem, path)).hash !== sha256(after)) throw changedFault(shown);
}

/** What a rename onto a file answers that is itself a mount point. */
const mountedCodes: ReadonlySet<string> = new Set(["EBUSY", "EXDEV"]);

/** File systems without hard links say so with one of these. */
const noLinkCodes: ReadonlySet<string> = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"]);

/** Moves without replacing: a link fails where the target exists, a rename would not. */
export async function linkOrRename(fileSystem: FileSystem, from: string, to: string): Promise<void> {
  try {
    await fileSystem.link(from, to);
  } catch (error) {
    if (!(error instanceof FileSystemError) || !noLinkCodes.has(error.code)) throw error;
    if (await exists(fileSystem, to)) throw new FileSystemError("EEXIST", to, "rename");
    return fileSystem.rename(from, to);
  }
  try {
    await fileSystem.unlink(from);
  } catch (error) {
    await fileSystem.unlink(to);
    throw error;
  }
}

export async function exists(fileSystem: FileSystem, path: string): Promise<boolean> {
  try {
    await fileSystem.lstat(path);
    return true;
  } catch (error) {
    if (error instanceof FileSystemError && error.code === "ENOENT") return false;
    throw error;
  }
}

/** Keeps the old file under another name: the same inode where the file system has links, else a copy. */
async function keep(fileSystem: FileSystem, target: string, backup: string, permissions: number): Promise<void> {
  try {
    await fileSystem.link(target, backup);
  } catch (error) {
    if (!(error instanceof FileSystemError) || !noLinkCodes.has(error.code)) throw error;
    const old = await withFile(fileSystem, target, "read", (file) => readAll(file, Number.MAX_SAFE_INTEGER));
    const copy = await fileSystem.open(backup, "create", 0o600);
    try {
      await writeAll(copy, old?.bytes ?? new Uint8Array(), backup);
      await copy.changeMode(permissions);
    } finally {
      await copy.close();
    }
  }
}

export function changedFault(shown: string): FileFault {
  return new FileFault("changed", `${shown}: file changed while edit was being prepared. Nothing was written; read it again before editing.`);
}

function appearedFault(shown: string): FileFault {
  return new FileFault("changed", `${shown} appeared while it was being created. Nothing was written; read it and decide again.`);
}
