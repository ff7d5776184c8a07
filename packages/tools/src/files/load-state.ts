import type { CheckedPath } from "../paths/checked-path.ts";
import { maxChangeBytes } from "./file-change.ts";
import { toFault } from "./file-fault.ts";
import { FileSystemError, type FileSystem } from "./file-system.ts";
import { hashFile } from "./hash-file.ts";
import { throughParent } from "./hold-parent.ts";
import type { FileState } from "./net-steps.ts";
import { readAll, withFile } from "./read-all.ts";
import { sha256 } from "./hash.ts";
import { requireRegular } from "./special-file.ts";

/** What a path holds now, with its content where that is at most 1 MiB. Rejects where it is not a regular file, or is cancelled. */
export async function loadState(fileSystem: FileSystem, path: CheckedPath, signal?: AbortSignal): Promise<FileState | null> {
  try {
    return await throughParent(fileSystem, path.real, async (target) => {
      const { kind, permissions } = await fileSystem.lstat(target);
      requireRegular(kind, path.shown, "change");
      const whole = await withFile(fileSystem, target, "read", (file) => readAll(file, maxChangeBytes));
      const hash = whole ? sha256(whole.bytes) : (await hashFile(fileSystem, target, signal)).hash;
      return { hash, bytes: whole?.bytes ?? null, origin: path.real, permissions };
    });
  } catch (error) {
    if (error instanceof FileSystemError && error.code === "ENOENT") return null;
    throw toFault(error, path.shown, "read");
  }
}
