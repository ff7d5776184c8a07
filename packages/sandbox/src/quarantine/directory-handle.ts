import { Buffer } from "node:buffer";
import { chmodSync, closeSync, constants, fchmodSync, fstatSync, lstatSync, mkdirSync, openSync, readdirSync, readlinkSync, renameSync, rmdirSync, symlinkSync, unlinkSync, type BigIntStats, type Stats } from "node:fs";
import { forFs, type BytePath } from "../backend/byte-path.ts";

const isLinux = process.platform === "linux";

/** What of a mode `chmod` sets. */
export const permissionBits = 0o7777;

/** On Linux a descriptor that only names a place: that needs no permission to read it. Elsewhere one that reads. */
const openPathOnly = isLinux ? 0o10000000 : constants.O_RDONLY;

/** What the owner needs to work in a directory, and with a file. */
const ownerBits = { directory: 0o700, file: 0o600 } as const;

/** An entry that was closed against its owner, and has been opened. Not held: there may be more of them than descriptors. */
export interface OpenedEntry {
  /** What it had before. */
  readonly mode: number;
  readonly device: number;
  readonly inode: number;
}

function changeMode(descriptor: number, mode: number): void {
  if (isLinux) chmodSync(`/proc/self/fd/${descriptor}`, mode);
  else fchmodSync(descriptor, mode);
}

const directoryFlags = openPathOnly | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/**
 * A directory held open. On Linux names are looked up in exactly this directory, wherever it has been moved meanwhile:
 * nobody can redirect what is done here by swapping a parent for a link. macOS has no names below a descriptor: there
 * it is the path on which no link was met, used once the command's processes are gone.
 */
export class DirectoryHandle {
  readonly #descriptor: number;
  /** How `node:fs` is told of the directory. */
  readonly #name: BytePath;
  readonly #path: BytePath;
  readonly #byPath: boolean;

  private constructor(descriptor: number, path: BytePath, byPath: boolean) {
    this.#descriptor = descriptor;
    this.#path = path;
    this.#byPath = byPath;
    this.#name = byPath ? path : `/proc/self/fd/${descriptor}`;
  }

  /** Opens an absolute canonical path, one name at a time, following no link. Throws as `open` does. */
  static open(path: BytePath, { byPath }: { readonly byPath: boolean } = { byPath: !isLinux }): DirectoryHandle {
    let handle = new DirectoryHandle(openSync("/", directoryFlags), "", byPath);
    for (const name of path.split("/").filter((segment) => segment !== "")) {
      const parent = handle;
      try {
        handle = parent.child(name);
      } finally {
        parent.close();
      }
    }
    return handle;
  }

  /** Throws ENOTDIR for a link. */
  child(name: BytePath): DirectoryHandle {
    return new DirectoryHandle(openSync(this.at(name), directoryFlags), `${this.#path}/${name}`, this.#byPath);
  }

  /** Where `node:fs` finds an entry of this directory. Follows the entry itself if it is a link. */
  at(name: BytePath): Buffer {
    return Buffer.from(`${this.#name}/${name}`, "latin1");
  }

  stats(name: BytePath): BigIntStats | undefined {
    return lstatSync(this.at(name), { bigint: true, throwIfNoEntry: false });
  }

  names(): readonly BytePath[] {
    return readdirSync(this.at("."), "latin1");
  }

  /** For reading or writing a regular file; throws ELOOP for a link. */
  openFile(name: BytePath, flags: number, mode?: number): number {
    return openSync(this.at(name), flags | constants.O_NOFOLLOW | constants.O_NONBLOCK, mode);
  }

  /**
   * Lets the owner in again: a command of an ordinary user may have closed a directory or a file with `chmod`, against
   * its owner too. Undefined: it was open, or is another user's, or of another kind. Throws where it is not there.
   */
  openForOwner(name: BytePath): OpenedEntry | undefined {
    return this.#withEntry(name, (descriptor, stats) => {
      const wanted = stats.isDirectory() ? ownerBits.directory : stats.isFile() ? ownerBits.file : 0;
      const mode = stats.mode & permissionBits;
      if (stats.uid !== process.geteuid?.() || (mode & wanted) === wanted) return undefined;
      changeMode(descriptor, mode | wanted);
      return { mode, device: stats.dev, inode: stats.ino };
    });
  }

  /** Gives an entry the mode it had, if it is still the one that was opened. */
  closeAgain(name: BytePath, { mode, device, inode }: OpenedEntry): void {
    this.#withEntry(name, (descriptor, stats) => {
      if (stats.dev === device && stats.ino === inode) changeMode(descriptor, mode);
    });
  }

  #withEntry<Result>(name: BytePath, use: (descriptor: number, stats: Stats) => Result): Result {
    const descriptor = this.openFile(name, openPathOnly);
    try {
      return use(descriptor, fstatSync(descriptor));
    } finally {
      closeSync(descriptor);
    }
  }

  makeDirectory(name: BytePath, mode: number): void {
    mkdirSync(this.at(name), mode);
  }

  readLink(name: BytePath): BytePath {
    return readlinkSync(this.at(name), "latin1");
  }

  makeLink(name: BytePath, target: BytePath): void {
    symlinkSync(forFs(target), this.at(name));
  }

  unlink(name: BytePath): void {
    unlinkSync(this.at(name));
  }

  removeDirectory(name: BytePath): void {
    rmdirSync(this.at(name));
  }

  rename(name: BytePath, into: DirectoryHandle, newName: BytePath): void {
    renameSync(this.at(name), into.at(newName));
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}

/** Opens the parent of a path, runs `use` in it, closes it. Undefined: the parent is not there (any more). */
export function inParent<Result>(path: BytePath, use: (parent: DirectoryHandle, name: BytePath) => Result): Result | undefined {
  const cut = path.lastIndexOf("/");
  let parent: DirectoryHandle;
  try {
    parent = DirectoryHandle.open(path.slice(0, cut));
  } catch (error) {
    if (isErrno(error, "ENOENT", "ENOTDIR", "ELOOP")) return undefined;
    throw error;
  }
  try {
    return use(parent, path.slice(cut + 1));
  } finally {
    parent.close();
  }
}

export function isErrno(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && "code" in error && typeof error.code === "string" && codes.includes(error.code);
}
