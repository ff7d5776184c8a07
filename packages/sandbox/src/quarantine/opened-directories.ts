import type { BytePath } from "../backend/byte-path.ts";
import { parentOf } from "../policy/paths.ts";
import { DirectoryHandle, inParent, isErrno, type OpenedEntry } from "./directory-handle.ts";

/** Directories that a command closed with `chmod` to hide what they hold: opened for a sweep, closed again after it. */
export class OpenedDirectories {
  readonly #opened: { readonly path: BytePath; readonly entry: OpenedEntry }[] = [];

  /** Opens the directory and those above it, as far as they are ours and none is a link. True: something was closed. */
  open(path: BytePath): boolean {
    return this.#descend(path, () => false);
  }

  /** Like `open`, with all that the directory holds: to copy it to another file system. */
  openTree(path: BytePath): boolean {
    return this.#descend(path, (directory) => this.#openBelow(directory, path));
  }

  /**
   * Gives everything the mode it had.
   *
   * @param gone what stays open, with all below it: it has been moved away, and must be possible to delete there
   */
  restore(gone: readonly BytePath[] = []): void {
    const moved = new Set(gone);
    for (const { path, entry } of this.#opened.splice(0).toReversed()) if (!isIn(moved, path)) closeAgain(path, entry);
  }

  /** One name at a time: each directory may have to be opened before the next one in it can be. */
  #descend(path: BytePath, inside: (directory: DirectoryHandle) => boolean): boolean {
    let changed = false;
    let directory = DirectoryHandle.open("/");
    try {
      for (let cut = 0, end = nextEnd(path, 1); end > cut; cut = end, end = nextEnd(path, end + 1)) {
        const name = path.slice(cut + 1, end);
        changed = this.#openOne(directory, name, path.slice(0, end)) || changed;
        const parent = directory;
        directory = parent.child(name);
        parent.close();
      }
      return inside(directory) || changed;
    } catch (error) {
      if (isErrno(error, "ENOENT", "ENOTDIR", "ELOOP", "EACCES")) return changed;
      throw error;
    } finally {
      directory.close();
    }
  }

  #openBelow(directory: DirectoryHandle, path: BytePath): boolean {
    let changed = false;
    for (const name of namesIn(directory)) {
      changed = this.#openOne(directory, name, `${path}/${name}`) || changed;
      if (directory.stats(name)?.isDirectory() !== true) continue;
      const child = directory.child(name);
      try {
        changed = this.#openBelow(child, `${path}/${name}`) || changed;
      } finally {
        child.close();
      }
    }
    return changed;
  }

  #openOne(parent: DirectoryHandle, name: BytePath, path: BytePath): boolean {
    const entry = openedEntry(parent, name);
    if (entry !== undefined) this.#opened.push({ path, entry });
    return entry !== undefined;
  }
}

/** Best effort: what has another name by now stays open to its owner. */
function closeAgain(path: BytePath, entry: OpenedEntry): void {
  try {
    inParent(path, (parent, name) => parent.closeAgain(name, entry));
  } catch {
    // As where it is gone.
  }
}

/** Undefined also where it cannot be opened at all: whoever needs it hears so. */
function openedEntry(parent: DirectoryHandle, name: BytePath): OpenedEntry | undefined {
  try {
    return parent.openForOwner(name);
  } catch {
    return undefined;
  }
}

function nextEnd(path: BytePath, from: number): number {
  const slash = path.indexOf("/", from);
  return slash === -1 ? path.length : slash;
}

function isIn(directories: ReadonlySet<BytePath>, path: BytePath): boolean {
  for (let at = path; at !== "/"; at = parentOf(at)) if (directories.has(at)) return true;
  return false;
}

function namesIn(directory: DirectoryHandle): readonly BytePath[] {
  try {
    return directory.names();
  } catch {
    return [];
  }
}
