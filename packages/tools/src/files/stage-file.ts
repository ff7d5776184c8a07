import { ownProcess } from "@fencepost/sandbox";
import type { WriteStep } from "./file-step.ts";
import { FileFault } from "./file-fault.ts";
import { FileSystemError, type FileStat, type FileSystem, type OpenFile } from "./file-system.ts";
import type { FileWork } from "./file-work.ts";
import { throughParent } from "./hold-parent.ts";
import { makeParents, removeDirectories } from "./make-parents.ts";
import { withFile, writeAll } from "./read-all.ts";
import { temporaryName } from "./temporary-name.ts";

/** New content that lies complete and durable beside its target, under a temporary name. */
export interface StagedFile {
  readonly step: WriteStep;
  /** Undefined where the content is to be written in place. */
  readonly name: string | undefined;
  readonly permissions: number;
  readonly madeDirectories: readonly string[];
  /** Removes the temporary file, if it is still there. */
  discard(): Promise<void>;
}

const ownerReadWrite = 0o600;
const newFile = 0o666;

/** Writes a step's content beside its target. The target is looked at and stays as it is. */
export async function stageFile(work: FileWork, step: WriteStep): Promise<StagedFile> {
  const { fileSystem } = work;
  const real = step.path.real;
  const madeDirectories = step.before === null ? await makeParents(fileSystem, real) : [];
  try {
    return await throughParent(fileSystem, real, async (target, at) => {
      const existing = step.before === null ? undefined : await replaceable(fileSystem, target, step.path.shown);
      if (existing !== undefined && work.protectedWrites?.mustStayInPlace(real)) return { step, name: undefined, permissions: existing.permissions, madeDirectories, discard: () => Promise.resolve() };
      const name = temporaryName(ownProcess());
      const discard = (): Promise<void> => throughParent(fileSystem, real, (_, beside) => fileSystem.unlink(beside(name))).catch(() => undefined);
      const wanted = step.permissions ?? existing?.permissions;
      const file = await fileSystem.open(at(name), "create", wanted === undefined ? newFile : ownerReadWrite);
      try {
        const permissions = await fill(file, step.after, wanted, existing, real);
        return { step, name, permissions, madeDirectories, discard };
      } catch (error) {
        await fileSystem.unlink(at(name)).catch(() => undefined);
        throw error;
      } finally {
        await file.close();
      }
    });
  } catch (error) {
    await removeDirectories(fileSystem, madeDirectories);
    throw error;
  }
}

/** The file as it is, where it may be replaced: a regular file that its permissions let be written, also for root. */
async function replaceable(fileSystem: FileSystem, target: string, shown: string): Promise<FileStat> {
  const stat = await fileSystem.lstat(target);
  if (stat.kind !== "file") throw new FileFault("changed", `${shown} is no longer a regular file. Nothing was written; use list to see what it is.`);
  if ((stat.permissions & anyWriteBit) === 0) throw readOnlyFault(shown);
  // A rename needs no permission on the file itself: only opening it tells whether its owner lets us write it.
  await withFile(fileSystem, target, "update", () => Promise.resolve());
  return stat;
}

const anyWriteBit = 0o222;

export function readOnlyFault(shown: string): FileFault {
  return new FileFault("read_only", `${shown} is read-only (no write permission bit), so it was not changed. Ask the user before making it writable.`);
}

async function fill(file: OpenFile, bytes: Uint8Array, wanted: number | undefined, existing: FileStat | undefined, path: string): Promise<number> {
  await writeAll(file, bytes, path);
  let stat = await file.stat();
  if (stat.size !== bytes.length) throw new FileSystemError("EIO", path, "write");
  if (existing !== undefined && (existing.uid !== stat.uid || existing.gid !== stat.gid)) {
    await keepOwner(file, existing, stat);
    stat = await file.stat();
  }
  if (wanted !== undefined) {
    // After the owner: changing it clears the set-user-id bit.
    await file.changeMode(existing === undefined ? wanted : withoutGain(wanted, existing, stat));
    stat = await file.stat();
  }
  await file.sync();
  return stat.permissions;
}

/** Only a privileged process may give a file away; others may still hand it to a group they belong to. */
async function keepOwner(file: OpenFile, existing: FileStat, own: FileStat): Promise<void> {
  await file.changeOwner(existing.uid, existing.gid).catch(() => file.changeOwner(own.uid, existing.gid)).catch(() => undefined);
}

const setUserId = 0o4000;
const setGroupId = 0o2000;
const groupBits = 0o070;

/** Permissions for a file that could not keep its owner or group: what was meant for these is not given to others. */
function withoutGain(permissions: number, existing: FileStat, now: FileStat): number {
  let kept = permissions;
  if (now.uid !== existing.uid) kept &= ~setUserId;
  if (now.gid !== existing.gid) kept &= ~setGroupId & (~groupBits | ((permissions & 0o007) << 3));
  return kept;
}
