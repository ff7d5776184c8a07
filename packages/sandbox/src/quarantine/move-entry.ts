import { Buffer } from "node:buffer";
import { randomBytes } from "node:crypto";
import { closeSync, constants, fchmodSync, fchownSync, fstatSync, ftruncateSync, readSync, writeSync } from "node:fs";
import type { BytePath } from "../backend/byte-path.ts";
import { isErrno, permissionBits, type DirectoryHandle } from "./directory-handle.ts";

const copyBufferBytes = 1024 * 1024;

/** Moves an entry of any kind, to another file system too. Links are moved as links. */
export function moveEntry(from: DirectoryHandle, name: BytePath, to: DirectoryHandle, newName: BytePath): void {
  try {
    from.rename(name, to, newName);
  } catch (error) {
    if (!isErrno(error, "EXDEV", "EACCES", "EPERM")) throw error;
    copyWhole(from, name, to, newName);
    removeEntry(from, name);
  }
}

/** Leaves no half of a copy, as where the disk is full. */
function copyWhole(from: DirectoryHandle, name: BytePath, to: DirectoryHandle, newName: BytePath): void {
  try {
    copyEntry(from, name, to, newName);
  } catch (error) {
    removeEntry(to, newName);
    throw error;
  }
}

/** Copies files, directories and links byte for byte; of anything else (a socket, a device) only its absence is kept. */
export function copyEntry(from: DirectoryHandle, name: BytePath, to: DirectoryHandle, newName: BytePath): void {
  const stats = from.stats(name);
  if (stats === undefined) return;
  if (stats.isSymbolicLink()) to.makeLink(newName, from.readLink(name));
  else if (stats.isFile()) copyFile(from, name, to, newName);
  else if (stats.isDirectory()) copyDirectory(from, name, to, newName);
}

/** Removes an entry of any kind, with all below it, however deep: a path or a stack of a command's making would be too long. */
export function removeEntry(parent: DirectoryHandle, name: BytePath): void {
  const stats = parent.stats(name);
  if (stats === undefined) return;
  if (!stats.isDirectory()) {
    parent.unlink(name);
    return;
  }
  parent.openForOwner(name);
  const top = parent.child(name);
  try {
    for (let names = top.names(); names.length > 0; names = top.names()) for (const child of names) removeFlat(top, child);
  } finally {
    top.close();
  }
  parent.removeDirectory(name);
}

/** Directories inside a directory are moved up beside it first, and removed in their turn. */
function removeFlat(top: DirectoryHandle, name: BytePath): void {
  if (top.stats(name)?.isDirectory() !== true) {
    top.unlink(name);
    return;
  }
  top.openForOwner(name);
  const directory = top.child(name);
  try {
    for (const child of directory.names()) {
      if (directory.stats(child)?.isDirectory() === true) moveUp(directory, child, top);
      else directory.unlink(child);
    }
  } finally {
    directory.close();
  }
  top.removeDirectory(name);
}

function moveUp(from: DirectoryHandle, name: BytePath, top: DirectoryHandle): void {
  // A directory has to be writable itself to get another parent.
  from.openForOwner(name);
  from.rename(name, top, randomBytes(12).toString("hex"));
}

/** The bytes of a regular file, at most `maxBytes`; undefined if it is something else or larger. */
export function readEntry(parent: DirectoryHandle, name: BytePath, maxBytes: number): Buffer | undefined {
  let descriptor: number;
  try {
    descriptor = parent.openFile(name, constants.O_RDONLY);
  } catch {
    return undefined;
  }
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile() || stats.size > maxBytes) return undefined;
    const buffer = Buffer.alloc(stats.size + 1);
    let length = 0;
    for (let read = 1; read > 0 && length < buffer.length; length += read) read = readSync(descriptor, buffer, length, buffer.length - length, length);
    return length > stats.size ? undefined : buffer.subarray(0, length);
  } finally {
    closeSync(descriptor);
  }
}

export interface FileContent {
  readonly content: Buffer;
  readonly mode: number;
  /** Given back where this process may. */
  readonly owner: { readonly uid: number; readonly gid: number };
}

/** Writes a file's whole content. `in-place`: into the one that is there, so that its other names see it. */
export function writeEntry(parent: DirectoryHandle, name: BytePath, { content, mode, owner }: FileContent, how: "in-place" | "new"): void {
  const descriptor = parent.openFile(name, how === "in-place" ? constants.O_WRONLY : constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
  try {
    for (let at = 0; at < content.length; at += writeSync(descriptor, content, at, content.length - at, at));
    ftruncateSync(descriptor, content.length);
    if (process.geteuid?.() === 0) fchownSync(descriptor, owner.uid, owner.gid);
    fchmodSync(descriptor, mode & permissionBits);
  } finally {
    closeSync(descriptor);
  }
}

function copyFile(from: DirectoryHandle, name: BytePath, to: DirectoryHandle, newName: BytePath): void {
  const source = from.openFile(name, constants.O_RDONLY);
  try {
    const target = to.openFile(newName, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
    try {
      const buffer = Buffer.allocUnsafe(copyBufferBytes);
      for (let read = readSync(source, buffer); read > 0; read = readSync(source, buffer)) {
        for (let at = 0; at < read; at += writeSync(target, buffer, at, read - at));
      }
      fchmodSync(target, fstatSync(source).mode & permissionBits);
    } finally {
      closeSync(target);
    }
  } finally {
    closeSync(source);
  }
}

function copyDirectory(from: DirectoryHandle, name: BytePath, to: DirectoryHandle, newName: BytePath): void {
  to.makeDirectory(newName, 0o700);
  const [source, target] = [from.child(name), to.child(newName)];
  try {
    for (const child of source.names()) copyEntry(source, child, target, child);
  } finally {
    source.close();
    target.close();
  }
}
