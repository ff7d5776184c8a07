import type { Buffer } from "node:buffer";
import { lstatSync, readdirSync, type Dirent } from "node:fs";
import { forFs, toText, type BytePath } from "./byte-path.ts";
import type { EntryKind } from "./entry-at.ts";
import { isTrustedStamp, stampMs } from "./trusted-stamp.ts";

/** What a walk for protected names needs of one directory. */
export interface DirectoryListing {
  readonly subdirectories: readonly CachedDirectory[];
  /** Entries whose name may begin a protected path, directories included. The same objects as long as nothing changes. */
  readonly candidates: readonly Candidate[];
}

export interface Candidate {
  readonly path: BytePath;
  readonly kind: EntryKind;
}

/** Which directory, in which state: a command can set an mtime, not a ctime. */
export interface DirectoryState {
  readonly dev: number;
  /** A bigint where a number would not tell it from its neighbours. */
  readonly ino: number | bigint;
  /** With its fraction: exact to less than a microsecond, and far finer than the time within which it is not trusted. */
  readonly ctimeMs: number;
}

/** Directories where a walk begins, by path; those below hang on them. Keeps what the last two walks asked for. */
export class DirectoryCache {
  readonly #canBegin: (name: string) => boolean;
  #previous = new Map<BytePath, CachedDirectory>();
  #current = new Map<BytePath, CachedDirectory>();

  /** @param canBegin whether an entry of this name can begin a protected path */
  constructor(canBegin: (name: string) => boolean) {
    this.#canBegin = canBegin;
  }

  /** Call before each walk: forgets the directories that the last one did not ask for. */
  nextWalk(): void {
    this.#previous = this.#current;
    this.#current = new Map();
  }

  at(path: BytePath): CachedDirectory {
    const known = this.#current.get(path) ?? this.#previous.get(path) ?? new CachedDirectory(path, this.#canBegin);
    this.#current.set(path, known);
    return known;
  }
}

/**
 * One directory and its listing, valid while the same directory is there and its ctime stays. One lstat when nothing
 * changed, however many files it holds.
 */
export class CachedDirectory {
  readonly path: BytePath;
  /** The path for `node:fs`. */
  readonly file: string | Buffer;
  readonly #canBegin: (name: string) => boolean;
  #state: DirectoryState | undefined;
  #listing: DirectoryListing | undefined;

  constructor(path: BytePath, canBegin: (name: string) => boolean) {
    this.path = path;
    this.file = forFs(path);
    this.#canBegin = canBegin;
  }

  /** As it was when the listing was read; undefined where that is to be read again. */
  get state(): DirectoryState | undefined {
    return this.#state;
  }

  /**
   * Undefined: not a directory (any more), or not readable.
   *
   * @param unchanged somebody has just found it in `state`
   */
  list(unchanged = false): DirectoryListing | undefined {
    if (unchanged && this.#state !== undefined) return this.#listing;
    const state = stateOf(this.file);
    if (state !== undefined && this.#state !== undefined && isSameState(this.#state, state)) return this.#listing;
    const startedMs = Date.now();
    this.#listing = state === undefined ? undefined : this.#read();
    this.#state = this.#listing !== undefined && state !== undefined && isTrustedStamp(state.ctimeMs, startedMs) ? { dev: state.dev, ino: state.ino, ctimeMs: state.ctimeMs } : undefined;
    return this.#listing;
  }

  #read(): DirectoryListing | undefined {
    const entries = readEntries(this.file);
    if (entries === undefined) return undefined;
    const known = new Map(this.#listing?.subdirectories.map((directory) => [directory.path, directory]));
    const subdirectories: CachedDirectory[] = [];
    const candidates: Candidate[] = [];
    const prefix = this.path === "/" ? "/" : `${this.path}/`;
    for (const entry of entries) {
      const path = prefix + entry.name;
      if (this.#canBegin(toText(entry.name))) candidates.push({ path, kind: kindOf(entry) });
      else if (entry.isDirectory()) subdirectories.push(known.get(path) ?? new CachedDirectory(path, this.#canBegin));
    }
    return { subdirectories, candidates };
  }
}

const missingIsUndefined = { throwIfNoEntry: false } as const;

function stateOf(file: string | Buffer): DirectoryState | undefined {
  try {
    const stats = lstatSync(file, missingIsUndefined);
    if (stats?.isDirectory() !== true) return undefined;
    return Number.isSafeInteger(stats.ino) ? stats : exactStateOf(file);
  } catch {
    return undefined;
  }
}

function exactStateOf(file: string | Buffer): DirectoryState | undefined {
  const stats = lstatSync(file, { bigint: true });
  return stats.isDirectory() ? { dev: Number(stats.dev), ino: stats.ino, ctimeMs: stampMs(stats.ctimeNs) } : undefined;
}

function isSameState(left: DirectoryState, right: DirectoryState): boolean {
  return left.ctimeMs === right.ctimeMs && left.ino === right.ino && left.dev === right.dev;
}

function readEntries(file: string | Buffer): readonly Dirent[] | undefined {
  try {
    return readdirSync(file, { withFileTypes: true, encoding: "latin1" });
  } catch {
    return undefined;
  }
}

function kindOf(entry: Dirent): EntryKind {
  if (entry.isDirectory()) return "directory";
  if (entry.isFile()) return "file";
  return entry.isSymbolicLink() ? "link" : "other";
}
