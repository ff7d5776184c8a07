import { lstatSync, readdirSync, type BigIntStats, type Dirent } from "node:fs";
import { forFs, toText, type BytePath } from "./byte-path.ts";

/** A change this close to the scan may be followed by one with the same time stamp. */
const distrustNs = 20_000_000n;

const nsPerMs = 1_000_000n;

/** What a walk for protected names needs of one directory. */
export interface DirectoryListing {
  readonly subdirectories: readonly BytePath[];
  /** Entries whose name may begin a protected path, directories included. */
  readonly candidates: readonly { readonly name: BytePath; readonly kind: EntryKind }[];
}

export type EntryKind = "directory" | "file" | "link" | "other";

interface Cached {
  readonly ctimeNs: bigint;
  readonly listing: DirectoryListing;
}

/**
 * Listings by device and inode, valid while the directory's ctime stays: a command can set an mtime, not a ctime.
 * One lstat a directory when nothing changed, however many files it holds. Keeps what the last two walks saw.
 */
export class DirectoryCache {
  readonly #canBegin: (name: string) => boolean;
  #previous = new Map<string, Cached>();
  #current = new Map<string, Cached>();

  /** @param canBegin whether an entry of this name can begin a protected path */
  constructor(canBegin: (name: string) => boolean) {
    this.#canBegin = canBegin;
  }

  /** Call before each walk: forgets the directories that the last one did not meet. */
  nextWalk(): void {
    this.#previous = this.#current;
    this.#current = new Map();
  }

  /** Undefined: not a directory (any more), or not readable. */
  list(path: BytePath): DirectoryListing | undefined {
    const stats = directoryStats(path);
    if (stats === undefined) return undefined;
    const key = `${stats.dev}:${stats.ino}`;
    const known = this.#current.get(key) ?? this.#previous.get(key);
    if (known !== undefined && known.ctimeNs === stats.ctimeNs) {
      this.#current.set(key, known);
      return known.listing;
    }
    const startedNs = BigInt(Date.now()) * nsPerMs;
    const listing = this.#read(path);
    if (listing !== undefined && startedNs - stats.ctimeNs > distrustNs) this.#current.set(key, { ctimeNs: stats.ctimeNs, listing });
    return listing;
  }

  #read(path: BytePath): DirectoryListing | undefined {
    const entries = readEntries(path);
    if (entries === undefined) return undefined;
    const subdirectories: BytePath[] = [];
    const candidates: { name: BytePath; kind: EntryKind }[] = [];
    for (const entry of entries) {
      const directory = entry.isDirectory();
      if (this.#canBegin(toText(entry.name))) candidates.push({ name: entry.name, kind: kindOf(entry) });
      else if (directory) subdirectories.push(entry.name);
    }
    return { subdirectories, candidates };
  }
}

function directoryStats(path: BytePath): BigIntStats | undefined {
  try {
    const stats = lstatSync(forFs(path), { bigint: true, throwIfNoEntry: false });
    return stats?.isDirectory() === true ? stats : undefined;
  } catch {
    return undefined;
  }
}

function readEntries(path: BytePath): readonly Dirent[] | undefined {
  try {
    return readdirSync(forFs(path), { withFileTypes: true, encoding: "latin1" });
  } catch {
    return undefined;
  }
}

function kindOf(entry: Dirent): EntryKind {
  if (entry.isDirectory()) return "directory";
  if (entry.isFile()) return "file";
  return entry.isSymbolicLink() ? "link" : "other";
}
