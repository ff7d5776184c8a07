import { closeSync, constants, fstatSync, openSync, readdirSync } from "node:fs";
import { forFs, type BytePath } from "../backend/byte-path.ts";
import { parentOf } from "../policy/paths.ts";
import { changeMode, openPathOnly } from "./directory-handle.ts";

const ownerBits = 0o700;

const fileBits = 0o600;

const permissionBits = 0o7777;

/** Directories that a command closed with `chmod` to hide what they hold: opened for a sweep, closed again after it. */
export class OpenedDirectories {
  readonly #opened: { readonly path: BytePath; readonly descriptor: number; readonly mode: number }[] = [];

  /** Opens the directory and those above it, as far as they are ours. True: something was closed. */
  open(path: BytePath): boolean {
    let changed = false;
    for (let end = path.indexOf("/", 1); end !== -1; end = path.indexOf("/", end + 1)) changed = this.#openOne(path.slice(0, end)) || changed;
    return this.#openOne(path) || changed;
  }

  /** Like `open`, with all that the directory holds: to copy it to another file system. */
  openTree(path: BytePath): boolean {
    let changed = this.open(path);
    for (let pending = [path]; pending.length > 0; ) {
      const directory = pending.pop() ?? path;
      for (const { name, isDirectory } of entriesOf(directory)) {
        const child = `${directory}/${name}`;
        changed = this.#openOne(child) || changed;
        if (isDirectory) pending.push(child);
      }
    }
    return changed;
  }

  /**
   * Gives everything the mode it had.
   *
   * @param gone what stays open, with all below it: it has been moved away, and must be possible to delete there
   */
  restore(gone: readonly BytePath[] = []): void {
    const moved = new Set(gone);
    for (const { path, descriptor, mode } of this.#opened.splice(0).toReversed()) {
      if (!isIn(moved, path)) changeMode(descriptor, mode);
      closeSync(descriptor);
    }
  }

  #openOne(path: BytePath): boolean {
    let descriptor: number;
    try {
      descriptor = openSync(forFs(path), openPathOnly | constants.O_NOFOLLOW);
    } catch {
      return false;
    }
    const stats = fstatSync(descriptor);
    const { mode } = stats;
    const wanted = stats.isDirectory() ? ownerBits : stats.isFile() ? fileBits : 0;
    if (stats.uid !== process.geteuid?.() || (mode & wanted) === wanted) {
      closeSync(descriptor);
      return false;
    }
    changeMode(descriptor, (mode & permissionBits) | wanted);
    this.#opened.push({ path, descriptor, mode: mode & permissionBits });
    return true;
  }
}

function isIn(directories: ReadonlySet<BytePath>, path: BytePath): boolean {
  for (let at = path; at !== "/"; at = parentOf(at)) if (directories.has(at)) return true;
  return false;
}

function entriesOf(directory: BytePath): readonly { readonly name: BytePath; readonly isDirectory: boolean }[] {
  try {
    return readdirSync(forFs(directory), { withFileTypes: true, encoding: "latin1" }).map((entry) => ({ name: entry.name, isDirectory: entry.isDirectory() }));
  } catch {
    return [];
  }
}
