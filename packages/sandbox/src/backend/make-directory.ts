import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Makes a directory of our own state, with those above it. One at a time: Node's recursive form never returns where a
 * parent exists and takes no directories, as below `/proc`.
 *
 * @param mode of those that are made. Default: for their owner only.
 * @throws as `mkdir` does, about the directory that could not be made
 */
export function makeDirectory(path: string, mode = 0o700): void {
  const missing: string[] = [];
  for (let at = path; !makeOne(at, mode); at = dirname(at)) missing.unshift(at);
  for (const directory of missing) mkdirUnlessThere(directory, mode);
}

/** False: the parent is not there. */
function makeOne(path: string, mode: number): boolean {
  try {
    mkdirUnlessThere(path, mode);
    return true;
  } catch (error) {
    if (dirname(path) !== path && error instanceof Error && "code" in error && error.code === "ENOENT") return false;
    throw error;
  }
}

function mkdirUnlessThere(path: string, mode: number): void {
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    if (!isDirectory(path)) throw error;
  }
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
