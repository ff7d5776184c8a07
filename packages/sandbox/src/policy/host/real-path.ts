import { lstatSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

/** More links than this in one path is a loop. */
const maxLinks = 40;

/** The real path, also of what does not exist yet: the nearest existing ancestor's, with the rest appended. */
export function realPathOf(path: string, linksLeft: number = maxLinks): string {
  const real = existingRealPath(path);
  if (real !== undefined) return real;
  const target = linksLeft > 0 ? linkTarget(path) : undefined;
  if (target !== undefined) return realPathOf(target, linksLeft - 1);
  const parent = dirname(path);
  return parent === path ? path : join(realPathOf(parent, linksLeft), basename(path));
}

/** Undefined where the path cannot be resolved: missing, not permitted, a loop of links. */
export function existingRealPath(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

export function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function linkTarget(path: string): string | undefined {
  try {
    return lstatSync(path).isSymbolicLink() ? resolve(dirname(path), readlinkSync(path)) : undefined;
  } catch {
    return undefined;
  }
}
