import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { isAbsolute, join } from "node:path/posix";
import { IgnoreRules } from "./ignore-rules.ts";
import { toBytes, type IgnoreScope } from "./ignore-scope.ts";

/** An ignore file above this is not read: it would be a denial of service, not a list of names. */
const maxIgnoreFileBytes = 4 * 1024 * 1024;

/** What the rules that speak for one directory may take of memory, about, with those of the directories above it. */
const maxRulesBytes = 64 * 1024 * 1024;

/**
 * @param names of the directory's entries, so that files that are not there are not asked for; undefined: try them all
 */
export function scopeOf(directory: string, prefix: string, parent: IgnoreScope | undefined, names: ReadonlySet<string> | undefined): IgnoreScope {
  const has = (name: string): boolean => names?.has(name) ?? true;
  let weight = parent?.weight ?? 0;
  const read = (path: string): IgnoreRules | undefined => {
    const rules = readRules(path, maxRulesBytes - weight);
    weight += rules?.weight ?? 0;
    return rules;
  };
  const own = has(".ignore") ? read(join(directory, ".ignore")) : undefined;
  const git = has(".gitignore") ? read(join(directory, ".gitignore")) : undefined;
  const gitDirectory = has(".git") ? findGitDirectory(join(directory, ".git")) : undefined;
  const exclude = gitDirectory === undefined ? undefined : read(join(gitDirectory, "info", "exclude"));
  const silent = !own && !git && !exclude && (parent?.silent ?? true);
  return { parent, prefix: toBytes(prefix), own, git, exclude, isRepository: gitDirectory !== undefined, silent, weight };
}

function readRules(path: string, maxWeight: number): IgnoreRules | undefined {
  const text = readSmallFile(path, "latin1");
  return text === undefined ? undefined : IgnoreRules.of(text, maxWeight);
}

/** The git directory behind `.git`, for a worktree the one it shares with its repository. */
function findGitDirectory(path: string): string | undefined {
  const pointer = readSmallFile(path);
  if (pointer === undefined) return readSmallFile(join(path, "HEAD")) === undefined ? undefined : path;
  const target = /^gitdir: (.+)$/mu.exec(pointer)?.[1];
  if (target === undefined) return undefined;
  const gitDirectory = isAbsolute(target) ? target : join(path, "..", target);
  const shared = readSmallFile(join(gitDirectory, "commondir"))?.trim();
  if (shared === undefined) return gitDirectory;
  return isAbsolute(shared) ? shared : join(gitDirectory, shared);
}

/** Undefined for what is not a regular file of reasonable size. A link is not followed, as git does not; a FIFO does not block. */
function readSmallFile(path: string, encoding: "utf8" | "latin1" = "utf8"): string | undefined {
  return withDescriptor(path, (descriptor) => {
    const stat = fstatSync(descriptor);
    return stat.isFile() && stat.size <= maxIgnoreFileBytes ? readFileSync(descriptor, encoding) : undefined;
  });
}

function withDescriptor<T>(path: string, use: (descriptor: number) => T): T | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    return use(descriptor);
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
