import type { Buffer } from "node:buffer";
import type { BytePath } from "../backend/byte-path.ts";
import { maxKeptFileBytes } from "../limits.ts";
import { nameOf } from "../policy/paths.ts";
import { DirectoryHandle, inParent, isErrno } from "./directory-handle.ts";
import { sameStamp, type Kept } from "./kept-copies.ts";
import { readEntry, writeEntry } from "./move-entry.ts";
import type { QuarantineCall } from "./quarantine-call.ts";

const newDirectoryMode = 0o755;

/**
 * Puts a protected file or link back to what it was, if it is no longer that. The changed version goes to the
 * quarantine first. True: it had changed.
 *
 * @param accepts whether somebody who may has written this content meanwhile
 */
export function restoreKept(kept: Kept, quarantine: QuarantineCall, accepts: (content: Buffer) => boolean): boolean {
  const unchanged = inParent(kept.path, (parent, name) => isAsKept(kept, parent, name, accepts));
  if (unchanged === true) return false;
  const parent = openParentAgain(kept.path, quarantine);
  try {
    putBack(kept, parent, nameOf(kept.path), quarantine);
  } finally {
    parent.close();
  }
  return true;
}

function isAsKept(kept: Kept, parent: DirectoryHandle, name: BytePath, accepts: (content: Buffer) => boolean): boolean {
  const stats = parent.stats(name);
  if (stats === undefined) return false;
  if (kept.kind === "link") return stats.isSymbolicLink() && parent.readLink(name) === kept.target;
  if (sameStamp(kept.stamp, stats)) return true;
  if (!stats.isFile()) return false;
  const content = readEntry(parent, name, maxKeptFileBytes);
  if (content === undefined) return false;
  return (content.equals(kept.content) && Number(stats.mode) === kept.mode) || accepts(content);
}

function putBack(kept: Kept, parent: DirectoryHandle, name: BytePath, quarantine: QuarantineCall): void {
  const stats = parent.stats(name);
  // A file that is still itself is written in place: its other names must hold the old content again, too.
  const inPlace = kept.kind === "file" && stats !== undefined && stats.isFile() && (kept.stamp === undefined ? stats.nlink > 1n : stats.ino === kept.stamp.inode && stats.dev === kept.stamp.device);
  if (stats?.isFile() === true) parent.openForOwner(name);
  if (inPlace) quarantine.copy(parent, name, kept.path);
  else if (stats !== undefined) quarantine.replace(parent, name, kept.path);
  if (kept.kind === "link") parent.makeLink(name, kept.target);
  else writeEntry(parent, name, kept, inPlace ? "in-place" : "new");
}

/** The parent of a path, made again as far as it is gone. What stands in its place goes to the quarantine. */
function openParentAgain(path: BytePath, quarantine: QuarantineCall): DirectoryHandle {
  let handle = DirectoryHandle.open("/");
  let at = "";
  for (const name of path.split("/").slice(1, -1)) {
    at += `/${name}`;
    const parent = handle;
    try {
      handle = childAgain(parent, name, at, quarantine);
    } finally {
      parent.close();
    }
  }
  return handle;
}

function childAgain(parent: DirectoryHandle, name: BytePath, path: BytePath, quarantine: QuarantineCall): DirectoryHandle {
  try {
    return parent.child(name);
  } catch (error) {
    if (!isErrno(error, "ENOENT", "ENOTDIR", "ELOOP")) throw error;
    if (parent.stats(name) !== undefined) quarantine.replace(parent, name, path);
    parent.makeDirectory(name, newDirectoryMode);
    return parent.child(name);
  }
}
