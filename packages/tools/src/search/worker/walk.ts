import * as fileSystem from "node:fs";
import type { Dirent } from "node:fs";
import { dirname, join, relative } from "node:path/posix";
import { fdir } from "fdir";
import { isTemporaryName } from "../../files/temporary-name.ts";
import type { GlobMatcher } from "../glob/glob-matcher.ts";
import { judgeEntry, type IgnoreScope } from "../ignore/ignore-scope.ts";
import { ignoreScopeOf } from "../disk/read-ignore-files.ts";
import { ignoreFileNames } from "../ignore/ignore-file-names.ts";
import { prefixOf } from "./prefix-of.ts";
import { readDirectory } from "../disk/read-directory.ts";

export interface WalkOptions {
  readonly root: string;
  readonly ignoreBoundary: string;
  /** A directory says by its size that it has many entries. */
  readonly onPlainDisk: boolean;
  readonly excludedPaths: ReadonlySet<string>;
  readonly skippedDirectories: ReadonlySet<string>;
  readonly includeHidden: boolean;
  /** Files that are wanted; undefined: all. */
  readonly glob: GlobMatcher | undefined;
  /** Also visits what ignore rules leave out, marked as such: to say why nothing was found. */
  readonly visitsIgnored: boolean;
}

export interface WalkVisitor {
  /** @param path below the root */
  file(path: string, ignored: boolean): void;
  /** Before each directory is read: may throw to end the walk. */
  directory(path: string): void;
  /** For each entry, also those left out: may throw to end the walk. */
  entry(path: string): void;
  unreadable(path: string): void;
  /** Left out by an ignore rule. */
  ignored(path: string, isDirectory: boolean): void;
  /** Left out because it begins with a dot, of a walk without a glob. */
  hidden(path: string, isDirectory: boolean): void;
}

/** A directory that the walk is in. */
interface Frame {
  readonly parent: Frame | undefined;
  /** As the walker names it: from the root, "/" there, else ending in "/". */
  readonly path: string;
  readonly scope: IgnoreScope;
  readonly ignored: boolean;
}

/** Not real files: reading them has effects or never ends. Entered only if the search begins there, which in `/proc` none may. */
const pseudoFileSystems = new Set(["/proc", "/sys", "/dev"]);

/**
 * Visits the files of a tree in a fixed order: depth first, names by code unit. Follows no symlink, and enters neither
 * excluded nor ignored directories. The root itself is searched even where a rule ignores it.
 */
export function walk(options: WalkOptions, visitor: WalkVisitor): void {
  const walker = new Walk(options, visitor);
  // To the walker the root is "/": what it hands over is then the path below the root. Its errors are ours: they end it.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- of its overloads the walker uses the one with types
  const fs = { ...fileSystem, readdirSync: walker.read as unknown as typeof fileSystem.readdirSync };
  new fdir({ fs, includeBasePath: true, suppressErrors: false, pathSeparator: "/", filters: [walker.file], exclude: walker.excludes, maxDepth: Infinity }).crawl("/").sync();
}

class Walk {
  readonly #options: WalkOptions;
  readonly #visitor: WalkVisitor;
  readonly #outer: IgnoreScope | undefined;
  /** What stands before a path to make it absolute. */
  readonly #absolute: string;
  /** The root below the outermost directory whose rules count: "" or ending in "/". */
  readonly #base: string;
  #frame: Frame | undefined;
  #entersIgnored = false;

  constructor(options: WalkOptions, visitor: WalkVisitor) {
    const { outer, path } = scopeAbove(options);
    this.#options = options;
    this.#visitor = visitor;
    this.#outer = outer;
    this.#absolute = prefixOf(options.root);
    this.#base = path === "" ? "" : `${path}/`;
  }

  /** The entries of a directory that the walker enters. */
  readonly read = (path: string): readonly Dirent[] => {
    const prefix = path.slice(1);
    this.#visitor.directory(prefix);
    const directory = prefix === "" ? this.#options.root : this.#absolute + prefix.slice(0, -1);
    const listing = readDirectory(directory, { sizeTells: this.#options.onPlainDisk });
    if (!listing) {
      this.#visitor.unreadable(prefix);
      return [];
    }
    for (const name of listing.lossyTwins) this.#visitor.unreadable(prefix + name);
    this.#frame = { parent: this.#frame, path, scope: this.#scopeOf(directory, prefix, listing.entries), ignored: this.#entersIgnored };
    return listing.entries;
  };

  readonly excludes = (name: string, path: string): boolean => {
    const frame = this.#frameOf(path.length - name.length - 1);
    const verdict = this.#judge(frame, name, path.slice(1, -1), true);
    this.#entersIgnored = verdict === "ignored";
    return verdict === undefined;
  };

  /** Visits a file; the walker has nothing to keep of it. */
  readonly file = (path: string): boolean => {
    const start = path.lastIndexOf("/") + 1;
    const below = path.slice(1);
    const verdict = this.#judge(this.#frameOf(start), path.slice(start), below, false);
    if (verdict !== undefined) this.#visitor.file(below, verdict === "ignored");
    return false;
  };

  /** Back in the directory whose path has this length: of those the walk is in, there is one. */
  #frameOf(pathLength: number): Frame {
    let frame = this.#frame!;
    while (frame.path.length > pathLength) frame = frame.parent!;
    this.#frame = frame;
    return frame;
  }

  /** Undefined for what is left out. */
  #judge(frame: Frame, name: string, path: string, isDirectory: boolean): "ignored" | "kept" | undefined {
    this.#visitor.entry(path);
    if (!isWanted(this.#options, name, path, isDirectory)) return undefined;
    const ignored = frame.ignored || judgeEntry(frame.scope, name, this.#base + path, isDirectory) === "ignored";
    if (this.#hides(name)) {
      // Nobody looks for text in the search's own rules: it would be said of every repository.
      if (!ignored && !ignoreFileNames.has(name)) this.#visitor.hidden(path, isDirectory);
      return undefined;
    }
    if (ignored) this.#visitor.ignored(path, isDirectory);
    if (ignored && !this.#options.visitsIgnored) return undefined;
    if (!isLossy(name, this.#absolute + path)) return ignored ? "ignored" : "kept";
    this.#visitor.unreadable(path);
    return undefined;
  }

  /** Where there is a glob, that decides. */
  #hides(name: string): boolean {
    return name.charCodeAt(0) === 46 && !this.#options.includeHidden && !this.#options.glob;
  }

  #scopeOf(directory: string, prefix: string, entries: readonly Dirent[]): IgnoreScope {
    const parent = this.#frame?.scope ?? this.#outer;
    if (parent && !entries.some(isHidden)) return parent;
    const names = new Set(entries.filter(isHidden).map(({ name }) => name));
    return ignoreScopeOf(directory, this.#base + prefix, parent, { names, excludedPaths: this.#options.excludedPaths });
  }
}

function isHidden({ name }: Dirent): boolean {
  return name.charCodeAt(0) === 46;
}

/** Whether a name holds bytes that are no UTF-8: then nothing lies where its text says. */
function isLossy(name: string, path: string): boolean {
  return name.includes("\uFFFD") && !fileSystem.existsSync(path);
}

/** Everything that decides about an entry except ignore rules, and that it is hidden. */
function isWanted(options: WalkOptions, name: string, path: string, isDirectory: boolean): boolean {
  const { glob, excludedPaths, skippedDirectories } = options;
  if (name.charCodeAt(0) === 46) {
    if (isTemporaryName(name)) return false;
    if (name === ".git" && glob?.namesGit !== true) return false;
  }
  if (isDirectory && skippedDirectories.has(name)) return false;
  if (excludedPaths.size > 0 || options.root === "/") {
    const absolute = join(options.root, path);
    if (excludedPaths.has(absolute) || (isDirectory && pseudoFileSystems.has(absolute))) return false;
  }
  if (!glob) return true;
  return isDirectory ? glob.canMatchBelow(path) : glob.matches(path);
}

/**
 * The ignore files between the boundary (or the nearest repository) and the root. Where one of them ignores the root
 * itself none counts: it was named, so it is searched.
 */
function scopeAbove({ root, ignoreBoundary, excludedPaths }: WalkOptions): { readonly outer: IgnoreScope | undefined; readonly path: string } {
  const inside = root === ignoreBoundary || root.startsWith(prefixOf(ignoreBoundary));
  if (!inside || root === ignoreBoundary) return { outer: undefined, path: "" };
  const directories: string[] = [];
  for (let at = dirname(root); ; at = dirname(at)) {
    directories.unshift(at);
    if (at === ignoreBoundary || at === "/") break;
  }
  let scope: IgnoreScope | undefined;
  for (const [index, directory] of directories.entries()) {
    const prefix = relative(ignoreBoundary, directory);
    scope = ignoreScopeOf(directory, prefix === "" ? "" : `${prefix}/`, scope, { names: undefined, excludedPaths });
    const child = directories[index + 1] ?? root;
    const path = relative(ignoreBoundary, child);
    if (judgeEntry(scope, path.slice(path.lastIndexOf("/") + 1), path, true) === "ignored") scope = undefined;
  }
  return { outer: scope, path: relative(ignoreBoundary, root) };
}
