import { readdirSync } from "node:fs";
import { join } from "node:path";

/** How many directories of the workspace are looked at for what points elsewhere, the upper ones first. */
const maxDirectoriesLookedAt = 1000;

/** How far below the workspace: `packages/group/name` is there. */
const maxDepthLookedAt = 3;

/** Holds other people's packages, many of them, and no working tree. */
const notLookedInto: ReadonlySet<string> = new Set([".git", "node_modules"]);

export interface WorkspaceDirectories {
  /** The workspace and directories below it, level by level. */
  readonly directories: readonly string[];
  /** Symlinks in them. */
  readonly links: readonly string[];
}

/** The upper part of a workspace. Follows no link. */
export function workspaceDirectories(workspaceRoot: string): WorkspaceDirectories {
  const directories = [workspaceRoot];
  const links: string[] = [join(workspaceRoot, ".git"), join(workspaceRoot, ".git", "hooks")].flatMap((path) => entriesOf(path).links);
  let level = [workspaceRoot];
  for (let depth = 0; depth < maxDepthLookedAt && level.length > 0 && directories.length < maxDirectoriesLookedAt; depth += 1) {
    const next: string[] = [];
    for (const directory of level) {
      if (directories.length + next.length >= maxDirectoriesLookedAt) break;
      const entries = entriesOf(directory);
      next.push(...entries.directories);
      links.push(...entries.links);
    }
    level = next.slice(0, maxDirectoriesLookedAt - directories.length);
    directories.push(...level);
  }
  return { directories, links };
}

function entriesOf(directory: string): WorkspaceDirectories {
  try {
    const entries = readdirSync(directory, { withFileTypes: true });
    return {
      directories: entries.filter((entry) => entry.isDirectory() && !notLookedInto.has(entry.name)).map((entry) => join(directory, entry.name)),
      links: entries.filter((entry) => entry.isSymbolicLink()).map((entry) => join(directory, entry.name)),
    };
  } catch {
    return { directories: [], links: [] };
  }
}
