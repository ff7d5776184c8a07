import { lstatSync, readdirSync, rmSync, type Dirent } from "node:fs";
import { join } from "node:path";
import { spillName } from "./spill-name.ts";
import { spillRoot } from "./spill-root.ts";

/** A session's directory untouched for this long is removed at start: 7 days. */
export const maxSpillAgeMs = 7 * 24 * 60 * 60 * 1000;

/** Removes what a session has spilled: with the session. */
export function removeSessionSpill(stateHome: string, sessionId: string): void {
  removeDirectory(join(spillRoot(stateHome), spillName(sessionId)));
}

/** Removes the directories of sessions that nothing was written to for 7 days. Anything that is not ours stays. */
export function removeStaleSpills(stateHome: string, nowMs: number = Date.now()): void {
  for (const entry of entriesOf(spillRoot(stateHome))) {
    if (!entry.isDirectory()) continue;
    const directory = join(spillRoot(stateHome), entry.name);
    if (nowMs - lastTouchedMs(directory) > maxSpillAgeMs) removeDirectory(directory);
  }
}

function lastTouchedMs(directory: string): number {
  return Math.max(modifiedMs(directory), ...entriesOf(directory).map((entry) => modifiedMs(join(directory, entry.name))));
}

function modifiedMs(path: string): number {
  try {
    return lstatSync(path).mtimeMs;
  } catch {
    return 0;
  }
}

function entriesOf(directory: string): readonly Dirent[] {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** Does not follow links: one in the place of a directory is left alone. */
function removeDirectory(path: string): void {
  try {
    if (lstatSync(path).isDirectory()) rmSync(path, { recursive: true, force: true });
  } catch {
    // Already gone, or not ours to remove.
  }
}
