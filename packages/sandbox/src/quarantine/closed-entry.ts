import { lstatSync, type Stats } from "node:fs";
import { forFs, type BytePath } from "../backend/byte-path.ts";
import { parentOf } from "../policy/paths.ts";
import { isErrno } from "./directory-handle.ts";
import { OpenedDirectories } from "./opened-directories.ts";

/** Tries once more where something was closed with `chmod`. */
export function orOpened<Result>(work: () => Result, open: () => boolean): Result {
  try {
    return work();
  } catch (error) {
    if (!isErrno(error, "EACCES", "EPERM") || !open()) throw error;
    return work();
  }
}

/** Like `OpenedDirectories.open`, for a walk that must go on: false also where it fails, as with too many files open. */
export function openIfPossible(opened: OpenedDirectories, path: BytePath): boolean {
  try {
    return opened.open(path);
  } catch {
    return false;
  }
}

/** An entry itself, a link not followed. Undefined also where a directory cannot be opened: what is there is not this user's. */
export function statsBehind(opened: OpenedDirectories, path: BytePath): Stats | undefined {
  try {
    return orOpened(() => lstatSync(forFs(path), { throwIfNoEntry: false }), () => openIfPossible(opened, parentOf(path)));
  } catch {
    return undefined;
  }
}

/**
 * Lets `work` look into directories that are closed to their owner, which a command could open: what is protected there
 * is not new because it could not be seen. They are closed again afterwards.
 */
export function withClosedOpened<Result>(work: (reveal: (path: BytePath) => boolean) => Result): Result {
  const opened = new OpenedDirectories();
  try {
    return work((path) => openIfPossible(opened, path));
  } finally {
    opened.restore();
  }
}
