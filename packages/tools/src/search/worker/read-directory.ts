import { closeSync, constants, openSync, readdirSync, readlinkSync, realpathSync, type Dirent } from "node:fs";
import { errorCode } from "../../files/error-code.ts";

/**
 * The files and directories in the directory that lies at `path`, by code unit. It is held open: where it or one on the
 * way to it was swapped for a link since it was found, nothing is told of what the link leads to. Undefined where it
 * cannot be read; what vanished or was swapped is empty.
 */
export function readDirectory(path: string): Dirent[] | undefined {
  try {
    const entries = (process.platform === "linux" ? readHeld(path) : readCompared(path)).filter((entry) => entry.isFile() || entry.isDirectory());
    return isSorted(entries) ? entries : entries.toSorted((left, right) => (left.name < right.name ? -1 : Number(left.name > right.name)));
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined) throw error;
    return gone.has(code) ? [] : undefined;
  }
}

/** Of a link the kernel says, under our flags, that it is no directory. */
const gone: ReadonlySet<string> = new Set(["ENOENT", "ENOTDIR", "ELOOP"]);

/** Names come sorted by their bytes, which is the order of code units but for some beyond the first plane. */
function isSorted(entries: readonly Dirent[]): boolean {
  for (let index = 1; index < entries.length; index += 1) if (entries[index - 1]!.name > entries[index]!.name) return false;
  return true;
}

const flags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

function readHeld(path: string): readonly Dirent[] {
  const descriptor = openSync(path, flags);
  try {
    const held = `/proc/self/fd/${descriptor}`;
    return readlinkSync(held) === path ? readdirSync(held, { withFileTypes: true }) : [];
  } finally {
    closeSync(descriptor);
  }
}

/** Where a directory cannot be read through its descriptor. A swap between the two calls goes unseen. */
function readCompared(path: string): readonly Dirent[] {
  return realpathSync.native(path) === path ? readdirSync(path, { withFileTypes: true }) : [];
}
