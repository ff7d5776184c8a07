import { lstatSync, readdirSync, type Dirent } from "node:fs";
import { forFs, toText, type BytePath } from "./byte-path.ts";
import type { EntryKind } from "./entry-at.ts";

/** A change this close to the scan may be followed by one with the same time stamp. */
const distrustMs = 20;

/** The same on a file system that counts whole seconds. */
const wholeSecondDistrustMs = 2000;

const msPerSecond = 1000;

const nsPerMs = 1e6;

/** What a walk for protected names needs of one directory. */
export interface DirectoryListing {
  /** Full paths. */
  readonly subdirectories: readonly BytePath[];
  /** Entries whose name may begin a protected path, directories included. */
  readonly candidates: readonly { readonly path: BytePath; readonly kind: EntryKind }[];
}

/** Which directory, in which state: a command can set an mtime, not a ctime. */
interface DirectoryState {
  readonly device: number;
  /** A bigint where a number would not tell it from its neighbours. */
  readonly inode: number | bigint;
  /** With its fraction: exact to less than a microsecond, and far finer than the time within which it is not trusted. */
  readonly ctimeMs: number;
}

interface Cached {
  readonly state: DirectoryState;
  readonly listing: DirectoryListing;
}

/**
 * Listings by path, valid while the same directory is there and its ctime stays. One lstat a directory when nothing
 * changed, however many files it holds. Keeps what the last two walks saw.
 */
export class DirectoryCache {
  readonly #canBegin: (name: string) => boolean;
  #previous = new Map<BytePath, Cached>();
  #current = new Map<BytePath, Cached>();

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
    const state = stateOf(path);
    if (state === undefined) return undefined;
    const known = this.#current.get(path) ?? this.#previous.get(path);
    if (known !== undefined && isSameState(known.state, state)) {
      this.#current.set(path, known);
      return known.listing;
    }
    const startedMs = Date.now();
    const listing = this.#read(path);
    if (listing !== undefined && startedMs - state.ctimeMs > (state.ctimeMs % msPerSecond === 0 ? wholeSecondDistrustMs : distrustMs)) this.#current.set(path, { state, listing });
    return listing;
  }

  #read(path: BytePath): DirectoryListing | undefined {
    const entries = readEntries(path);
    if (entries === undefined) return undefined;
    const subdirectories: BytePath[] = [];
    const candidates: { path: BytePath; kind: EntryKind }[] = [];
    const prefix = path === "/" ? "/" : `${path}/`;
    for (const entry of entries) {
      if (this.#canBegin(toText(entry.name))) candidates.push({ path: prefix + entry.name, kind: kindOf(entry) });
      else if (entry.isDirectory()) subdirectories.push(prefix + entry.name);
    }
    return { subdirectories, candidates };
  }
}

const missingIsUndefined = { throwIfNoEntry: false } as const;

function stateOf(path: BytePath): DirectoryState | undefined {
  try {
    const stats = lstatSync(forFs(path), missingIsUndefined);
    if (stats?.isDirectory() !== true) return undefined;
    return Number.isSafeInteger(stats.ino) ? { device: stats.dev, inode: stats.ino, ctimeMs: stats.ctimeMs } : exactStateOf(path);
  } catch {
    return undefined;
  }
}

function exactStateOf(path: BytePath): DirectoryState | undefined {
  const stats = lstatSync(forFs(path), { bigint: true });
  return stats.isDirectory() ? { device: Number(stats.dev), inode: stats.ino, ctimeMs: Number(stats.ctimeNs) / nsPerMs } : undefined;
}

function isSameState(left: DirectoryState, right: DirectoryState): boolean {
  return left.ctimeMs === right.ctimeMs && left.inode === right.inode && left.device === right.device;
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
