import { closeSync, constants, fstatSync, lstatSync, opendirSync, openSync, readdirSync, realpathSync, type Dirent } from "node:fs";
import { join } from "node:path/posix";
import { errorCode } from "../../files/error-code.ts";
import { placeOf } from "./place-of.ts";

export interface DirectoryListing {
  /** The files and directories, by code unit. */
  readonly entries: readonly Dirent[];
  /** Names that are no UTF-8, and are the same as another one when they are read as such. */
  readonly lossyTwins: readonly string[];
}

/** A directory whose size says that it has more than some thousand entries is read in pieces. */
const largeBytes = 1024 * 1024;
const entriesAPiece = 1024;

/** What the names of a directory may take of memory: more than half a million short ones. A larger one counts as unreadable. */
const maxNamesBytes = 80 * 1024 * 1024;

/** Of an entry beside its name, and of a character of that. */
const bytesAnEntry = 120;
const bytesACharacter = 2;

/**
 * What lies in the directory at `path`. It is held open: where it or one on the way to it was swapped for a link since
 * it was found, nothing is told of what the link leads to. Undefined where it cannot be read, or is larger than the
 * memory of a thread allows; what vanished or was swapped is empty.
 *
 * @param options `sizeTells`: whether its size says that it has many entries
 */
export function readDirectory(path: string, options: { readonly sizeTells: boolean }): DirectoryListing | undefined {
  try {
    const entries = (process.platform === "linux" ? readHeld(path, options) : readCompared(path)).filter((entry) => entry.isFile() || entry.isDirectory());
    return withoutTwins(isSorted(entries) ? entries : entries.toSorted((left, right) => (left.name < right.name ? -1 : Number(left.name > right.name))), path);
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined) throw error;
    return gone.has(code) ? { entries: [], lossyTwins: [] } : undefined;
  }
}

/** Names are unique: of those that read the same, one at most is written so. */
function withoutTwins(entries: readonly Dirent[], path: string): DirectoryListing {
  const isTwin = (entry: Dirent, index: number): boolean => entry.name.includes("\uFFFD") && (entries[index - 1]?.name === entry.name || entries[index + 1]?.name === entry.name);
  if (!entries.some(isTwin)) return { entries, lossyTwins: [] };
  const written = new Set<string>();
  const lossyTwins: string[] = [];
  const kept = entries.filter((entry, index) => {
    if (!isTwin(entry, index)) return true;
    const isWritten = !written.has(entry.name) && lstatSync(join(path, entry.name), { throwIfNoEntry: false })?.isDirectory() === entry.isDirectory();
    if (isWritten) written.add(entry.name);
    else lossyTwins.push(entry.name);
    return isWritten;
  });
  return { entries: kept, lossyTwins };
}

/** Of a link the kernel says, under our flags, that it is no directory. */
const gone: ReadonlySet<string> = new Set(["ENOENT", "ENOTDIR", "ELOOP"]);

/** Names come sorted by their bytes, which is the order of code units but for some beyond the first plane. */
function isSorted(entries: readonly Dirent[]): boolean {
  for (let index = 1; index < entries.length; index += 1) if (entries[index - 1]!.name > entries[index]!.name) return false;
  return true;
}

const flags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

function readHeld(path: string, { sizeTells }: { readonly sizeTells: boolean }): readonly Dirent[] {
  const descriptor = openSync(path, flags);
  try {
    const held = `/proc/self/fd/${descriptor}`;
    if (placeOf(descriptor) !== path) return [];
    return sizeTells && fstatSync(descriptor).size < largeBytes ? readdirSync(held, { withFileTypes: true }) : readInPieces(held);
  } finally {
    closeSync(descriptor);
  }
}

/** Where a directory cannot be read through its descriptor. A swap between the two calls goes unseen. */
function readCompared(path: string): readonly Dirent[] {
  return realpathSync.native(path) === path ? readInPieces(path) : [];
}

/** Slower than all at once, and ends where the names are too many. */
function readInPieces(path: string): readonly Dirent[] {
  const directory = opendirSync(path, { bufferSize: entriesAPiece });
  const entries: Dirent[] = [];
  try {
    for (let bytes = 0, entry: Dirent | null; (entry = directory.readSync()); ) {
      bytes += bytesAnEntry + bytesACharacter * entry.name.length;
      if (bytes > maxNamesBytes) throw Object.assign(new Error("too many names"), { code: "EFBIG" });
      entries.push(entry);
    }
  } finally {
    directory.closeSync();
  }
  return entries;
}
