import { closeSync, constants, fstatSync, openSync, readSync, realpathSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path/posix";
import { placeOf } from "./place-of.ts";
import { IgnoreRules } from "../ignore/ignore-rules.ts";
import { toBytes, type IgnoreScope } from "../ignore/ignore-scope.ts";

/** An ignore file above this is not read: it would be a denial of service, not a list of names. */
const maxIgnoreFileBytes = 4 * 1024 * 1024;

/** What the rules that speak for one directory may take of memory, about, with those of the directories above it. */
const maxRulesBytes = 64 * 1024 * 1024;

export interface IgnoreFilesOptions {
  /** Names of the directory's entries, so that files that are not there are not asked for; undefined: try them all. */
  readonly names: ReadonlySet<string> | undefined;
  /** Real paths at and below which nothing is read, wherever a `.git` points. */
  readonly excludedPaths: ReadonlySet<string>;
}

/** What the ignore files of one directory, and of the repository whose root it may be, add to those above. */
export function ignoreScopeOf(directory: string, prefix: string, parent: IgnoreScope | undefined, { names, excludedPaths }: IgnoreFilesOptions): IgnoreScope {
  const has = (name: string): boolean => names?.has(name) ?? true;
  const files = new IgnoreFiles(excludedPaths);
  let bytes = parent?.bytes ?? 0;
  const read = (path: string): IgnoreRules | undefined => {
    const text = files.read(path, "latin1");
    const rules = text === undefined ? undefined : IgnoreRules.of(text, maxRulesBytes - bytes);
    bytes += rules?.bytes ?? 0;
    return rules;
  };
  const dotIgnore = has(".ignore") ? read(join(directory, ".ignore")) : undefined;
  const git = has(".gitignore") ? read(join(directory, ".gitignore")) : undefined;
  const gitDirectory = has(".git") ? files.gitDirectory(join(directory, ".git")) : undefined;
  const exclude = gitDirectory === undefined ? undefined : read(join(gitDirectory, "info", "exclude"));
  const silent = !dotIgnore && !git && !exclude && (parent?.silent ?? true);
  return { parent, prefix: toBytes(prefix), dotIgnore, git, exclude, isRepository: gitDirectory !== undefined, silent, bytes };
}

/** Reads small files at places that a repository names: nothing below the excluded paths. */
class IgnoreFiles {
  readonly #excludedPaths: ReadonlySet<string>;

  constructor(excludedPaths: ReadonlySet<string>) {
    this.#excludedPaths = excludedPaths;
  }

  /** The git directory behind `.git`, for a worktree the one it shares with its repository. */
  gitDirectory(path: string): string | undefined {
    const pointer = this.read(path);
    if (pointer === undefined) return this.read(join(path, "HEAD")) === undefined ? undefined : path;
    const target = /^gitdir: (.+)$/mu.exec(pointer)?.[1];
    if (target === undefined) return undefined;
    const gitDirectory = isAbsolute(target) ? target : join(path, "..", target);
    const shared = this.read(join(gitDirectory, "commondir"))?.trim();
    if (shared === undefined) return gitDirectory;
    return isAbsolute(shared) ? shared : join(gitDirectory, shared);
  }

  /** Undefined for what is not a regular file of reasonable size. A link is not followed, as git does not; a FIFO does not block. */
  read(path: string, encoding: "utf8" | "latin1" = "utf8"): string | undefined {
    let descriptor: number | undefined;
    try {
      if (this.#excludes(path)) return undefined;
      descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
      const stat = fstatSync(descriptor);
      if (!stat.isFile() || stat.size > maxIgnoreFileBytes || this.#excludes(realPath(descriptor, path))) return undefined;
      return readToEnd(descriptor, stat.size)?.toString(encoding);
    } catch {
      return undefined;
    } finally {
      if (descriptor !== undefined) closeSync(descriptor);
    }
  }

  #excludes(path: string): boolean {
    if (this.#excludedPaths.size === 0) return false;
    for (let at = path; ; at = dirname(at)) {
      if (this.#excludedPaths.has(at)) return true;
      if (at === dirname(at)) return false;
    }
  }
}

/** Where an open file lies, whatever links led there. */
function realPath(descriptor: number, path: string): string {
  return process.platform === "linux" ? placeOf(descriptor) : realpathSync.native(path);
}

/** Undefined where the file, which may grow meanwhile, is too large. */
function readToEnd(descriptor: number, size: number): Buffer | undefined {
  let buffer = Buffer.allocUnsafe(size + 1);
  for (let length = 0; ; ) {
    const count = readSync(descriptor, buffer, length, buffer.length - length, null);
    if (count === 0) return buffer.subarray(0, length);
    length += count;
    if (length > maxIgnoreFileBytes) return undefined;
    if (length === buffer.length) buffer = Buffer.concat([buffer], Math.min(2 * length, maxIgnoreFileBytes + 1));
  }
}
