import { lstatSync, type Stats } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { isUnder, parentOf, segmentsBelow, unique } from "../paths.ts";
import { existingRealPath, isDirectory } from "./real-path.ts";
import { readSmallFile } from "./small-file.ts";

/**
 * Git directories that the names in the workspace do not give away: those that a `.git` file or link in the workspace,
 * or in a directory not far below it, points to, and the one of the repository that the workspace is a part of.
 *
 * Outside the workspace a `.git` file is only believed if the directory it names points back: anyone can write the
 * file, and must not be able to make us treat a directory of his choice as git's. Inside it, as git does, whatever is
 * a git directory is believed: that can only protect more.
 *
 * @param directories the workspace and directories below it
 */
export function gitDirsOf(workspaceRoot: string, directories: readonly string[]): readonly string[] {
  const inside = directories.flatMap((directory) => gitDirsAt(directory, workspaceRoot));
  return unique([...inside, ...enclosingGitDirs(workspaceRoot)]).filter((gitDir) => !isNamedGit(gitDir, workspaceRoot));
}

/** Already protected by its name. */
function isNamedGit(gitDir: string, workspaceRoot: string): boolean {
  return isUnder(gitDir, workspaceRoot) && segmentsBelow(gitDir, workspaceRoot).includes(".git");
}

/** The git directory of a directory's `.git`, and the common directory of a worktree. */
function gitDirsAt(directory: string, workspaceRoot: string): readonly string[] {
  const dotGit = join(directory, ".git");
  const linked = isLink(dotGit) ? existingRealPath(dotGit) : undefined;
  if (linked !== undefined && isGitDirectory(linked)) return [linked];
  const gitDir = pointedTo(dotGit, linked ?? dotGit);
  if (gitDir === undefined) return [];
  if (isUnder(gitDir, workspaceRoot) && isGitDirectory(gitDir)) return [gitDir];
  if (linksBackAsWorktree(gitDir, dotGit)) {
    const common = commonDirOf(gitDir);
    return common === undefined ? [gitDir] : [gitDir, common];
  }
  return linksBackAsSubmodule(gitDir, directory) ? [gitDir] : [];
}

/** `file`: what holds the pointer, where `.git` is a link. Git takes off all line breaks at its end. */
function pointedTo(dotGit: string, file: string): string | undefined {
  const target = /^gitdir: (.+?)[\r\n]*$/s.exec(readSmallFile(file) ?? "")?.[1];
  if (target === undefined || target.includes("\0")) return undefined;
  const gitDir = existingRealPath(resolve(dirname(dotGit), target));
  return gitDir !== undefined && isDirectory(gitDir) ? gitDir : undefined;
}

/** A worktree's git directory names the `.git` file in its own file `gitdir`. */
function linksBackAsWorktree(gitDir: string, dotGit: string): boolean {
  const named = readSmallFile(join(gitDir, "gitdir"))?.replace(/\r?\n$/, "");
  if (named === undefined || named === "" || named.includes("\0")) return false;
  const back = resolve(gitDir, named);
  const parent = existingRealPath(dirname(back));
  return parent !== undefined && join(parent, basename(back)) === dotGit;
}

/** A worktree's git directory is `<common>/worktrees/<name>`: only that directory is believed. */
function commonDirOf(gitDir: string): string | undefined {
  const named = readSmallFile(join(gitDir, "commondir"))?.replace(/\r?\n$/, "");
  if (named === undefined || named === "" || named.includes("\0")) return undefined;
  const common = existingRealPath(resolve(gitDir, named));
  return common !== undefined && parentOf(gitDir) === join(common, "worktrees") ? common : undefined;
}

/** A submodule's git directory names its working tree in its config: `[core] worktree = …`. */
function linksBackAsSubmodule(gitDir: string, directory: string): boolean {
  const worktree = coreWorktree(readSmallFile(join(gitDir, "config")) ?? "");
  return worktree !== undefined && !worktree.includes("\0") && existingRealPath(resolve(gitDir, worktree)) === directory;
}

function coreWorktree(config: string): string | undefined {
  let section = "";
  let found: string | undefined;
  for (const line of config.split(/\r?\n/)) {
    section = /^\s*\[\s*([^\]]+?)\s*\]/.exec(line)?.[1]?.toLowerCase() ?? section;
    const value = /^\s*worktree\s*=\s*(.*?)\s*$/i.exec(line)?.[1];
    if (section === "core" && value !== undefined) found = unquoted(value);
  }
  return found;
}

function unquoted(value: string): string {
  return value.replace(/^"(.*)"$/, "$1").replace(/\\(["\\])/g, "$1");
}

/** What git itself takes for a git directory. */
/** As git sees it: HEAD may be a link that leads nowhere, and objects and references may lie in a common directory. */
function isGitDirectory(path: string): boolean {
  return existsAsEntry(join(path, "HEAD")) && (existsAsEntry(join(path, "commondir")) || (isDirectory(join(path, "objects")) && isDirectory(join(path, "refs"))));
}

/** The git directories of the repository that holds the workspace, if that is not the workspace itself. */
function enclosingGitDirs(workspaceRoot: string): readonly string[] {
  for (let directory = workspaceRoot; !existsAsEntry(join(directory, ".git")); directory = parentOf(directory)) {
    if (directory === "/") return [];
    const parent = join(parentOf(directory), ".git");
    if (isRealDirectory(parent)) return [parent];
    if (existsAsEntry(parent)) return gitDirsAt(parentOf(directory), workspaceRoot);
  }
  return [];
}

function entryAt(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
}

function existsAsEntry(path: string): boolean {
  return entryAt(path) !== undefined;
}

function isLink(path: string): boolean {
  return entryAt(path)?.isSymbolicLink() ?? false;
}

function isRealDirectory(path: string): boolean {
  return entryAt(path)?.isDirectory() ?? false;
}
