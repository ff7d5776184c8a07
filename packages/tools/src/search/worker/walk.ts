import { readdirSync, type Dirent } from "node:fs";
import { dirname, join, relative } from "node:path/posix";
import { errorCode } from "./error-code.ts";
import { isTemporaryName } from "../../files/temporary-name.ts";
import type { GlobMatcher } from "../glob/glob-matcher.ts";
import { judgeEntry, type IgnoreScope } from "../ignore/ignore-scope.ts";
import { scopeOf } from "../ignore/read-ignore-files.ts";

export interface WalkOptions {
  readonly root: string;
  readonly ignoreBoundary: string;
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
  /** Before each directory is read: throws to end the walk. */
  directory(path: string): void;
  unreadable(path: string): void;
  /** Something was left out by an ignore rule. */
  ignored(): void;
}

interface Frame {
  readonly entries: readonly Dirent[];
  /** Below the root, "" or ending in "/". */
  readonly prefix: string;
  readonly scope: IgnoreScope;
  readonly ignored: boolean;
  next: number;
}

/** Not real files: reading them has effects or never ends. Entered only if the search begins there. */
const pseudoFileSystems = new Set(["/proc", "/sys", "/dev"]);

/**
 * Visits the files of a tree in a fixed order: depth first, names by code unit. Follows no symlink, and enters neither
 * excluded nor ignored directories. The root itself is searched even where a rule ignores it.
 */
export function walk(options: WalkOptions, visitor: WalkVisitor): void {
  const { outer, path: rootPath } = scopeAbove(options);
  const base = rootPath === "" ? "" : `${rootPath}/`;
  const stack: Frame[] = [];
  const enter = (prefix: string, parent: IgnoreScope | undefined, ignored: boolean): void => {
    visitor.directory(prefix);
    const directory = join(options.root, prefix);
    const entries = readEntries(directory);
    if (!entries) return visitor.unreadable(prefix);
    const names = new Set(entries.filter(({ name }) => name.charCodeAt(0) === 46).map(({ name }) => name));
    const scope = names.size === 0 && parent ? parent : scopeOf(directory, base + prefix, parent, names);
    stack.push({ entries, prefix, scope, ignored, next: 0 });
  };

  enter("", outer, false);
  for (let frame = stack.at(-1); frame; frame = stack.at(-1)) {
    const entry = frame.entries[frame.next];
    frame.next += 1;
    if (!entry) {
      stack.pop();
      continue;
    }
    const isDirectory = entry.isDirectory();
    if (!isDirectory && !entry.isFile()) continue;
    const { name } = entry;
    const path = frame.prefix + name;
    if (!isVisible(options, name, path, isDirectory)) continue;
    const rejected = frame.ignored || judgeEntry(frame.scope, name, base + path, isDirectory) === "ignored";
    if (rejected) visitor.ignored();
    if (rejected && !options.visitsIgnored) continue;
    if (name.includes("\uFFFD")) visitor.unreadable(path);
    else if (isDirectory) enter(`${path}/`, frame.scope, rejected);
    else visitor.file(path, rejected);
  }
}

/** Everything that decides about an entry except ignore rules. */
function isVisible(options: WalkOptions, name: string, path: string, isDirectory: boolean): boolean {
  const { glob, includeHidden, excludedPaths, skippedDirectories } = options;
  if (name.charCodeAt(0) === 46) {
    if (isTemporaryName(name)) return false;
    if (!includeHidden && !glob) return false;
    if (name === ".git" && (!glob || includeHidden)) return false;
  }
  if (isDirectory && skippedDirectories.has(name)) return false;
  if (excludedPaths.size > 0 || options.root === "/") {
    const absolute = join(options.root, path);
    if (excludedPaths.has(absolute) || (isDirectory && pseudoFileSystems.has(absolute))) return false;
  }
  if (!glob) return true;
  return isDirectory ? glob.canMatchBelow(path) : glob.matches(path);
}

/** Undefined where it cannot be read. What vanished meanwhile is empty. */
function readEntries(directory: string): readonly Dirent[] | undefined {
  try {
    return readdirSync(directory, { withFileTypes: true }).toSorted(byName);
  } catch (error) {
    return errorCode(error) === "ENOENT" ? [] : undefined;
  }
}

function byName(left: Dirent, right: Dirent): number {
  return left.name < right.name ? -1 : left.name > right.name ? 1 : 0;
}

/**
 * The ignore files between the boundary (or the nearest repository) and the root. Where one of them ignores the root
 * itself none counts: it was named, so it is searched.
 */
function scopeAbove({ root, ignoreBoundary }: WalkOptions): { readonly outer: IgnoreScope | undefined; readonly path: string } {
  const inside = root === ignoreBoundary || root.startsWith(ignoreBoundary === "/" ? "/" : `${ignoreBoundary}/`);
  if (!inside || root === ignoreBoundary) return { outer: undefined, path: "" };
  const directories: string[] = [];
  for (let at = dirname(root); ; at = dirname(at)) {
    directories.unshift(at);
    if (at === ignoreBoundary || at === "/") break;
  }
  let scope: IgnoreScope | undefined;
  for (const [index, directory] of directories.entries()) {
    const prefix = relative(ignoreBoundary, directory);
    scope = scopeOf(directory, prefix === "" ? "" : `${prefix}/`, scope, undefined);
    const child = directories[index + 1] ?? root;
    const path = relative(ignoreBoundary, child);
    if (judgeEntry(scope, path.slice(path.lastIndexOf("/") + 1), path, true) === "ignored") scope = undefined;
  }
  return { outer: scope, path: relative(ignoreBoundary, root) };
}
