import { chmodSync, closeSync, constants, fstatSync, openSync } from "node:fs";
import { forFs, type BytePath } from "../bubblewrap/byte-path.ts";
import { openPathOnly } from "./directory-handle.ts";

const ownerBits = 0o700;

const permissionBits = 0o7777;

/** Directories that a command closed with `chmod` to hide what they hold: opened for a sweep, closed again after it. */
export class OpenedDirectories {
  readonly #opened: { readonly descriptor: number; readonly mode: number }[] = [];

  /** Opens the directory and those above it, as far as they are ours. True: something was closed. */
  open(path: BytePath): boolean {
    let changed = false;
    for (let end = path.indexOf("/", 1); end !== -1; end = path.indexOf("/", end + 1)) changed = this.#openOne(path.slice(0, end)) || changed;
    return this.#openOne(path) || changed;
  }

  /** Gives every directory the mode it had. */
  restore(): void {
    for (const { descriptor, mode } of this.#opened.splice(0).toReversed()) {
      chmodSync(`/proc/self/fd/${descriptor}`, mode);
      closeSync(descriptor);
    }
  }

  #openOne(path: BytePath): boolean {
    let descriptor: number;
    try {
      descriptor = openSync(forFs(path), openPathOnly | constants.O_DIRECTORY | constants.O_NOFOLLOW);
    } catch {
      return false;
    }
    const { mode, uid } = fstatSync(descriptor);
    if (uid !== process.geteuid?.() || (mode & ownerBits) === ownerBits) {
      closeSync(descriptor);
      return false;
    }
    chmodSync(`/proc/self/fd/${descriptor}`, (mode & permissionBits) | ownerBits);
    this.#opened.push({ descriptor, mode: mode & permissionBits });
    return true;
  }
}
