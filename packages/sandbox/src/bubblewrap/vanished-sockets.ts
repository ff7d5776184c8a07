import type { BigIntStats } from "node:fs";
import type { BytePath } from "../backend/byte-path.ts";
import { kindAt } from "../backend/entry-at.ts";
import { inParent } from "../quarantine/directory-handle.ts";

export const vanishedSocketText = "[sandbox: the command was not started, because a socket that had to be hidden from it went away while its sandbox was being set up. Call again]";

/** The clock of a file system may lag by this much. */
const clockLagMs = 20;

const writeBits = 0o222n;

/** Where a socket has gone, whose cover then has nothing to lie on. */
export function hasVanished(sockets: readonly BytePath[]): boolean {
  return sockets.some((path) => kindAt(path) === undefined);
}

/**
 * Where a socket went between planning and covering, the runner has made an empty file to cover, and leaves it. Removes
 * those: a file that nobody may write, of this user, empty, and younger than the plan that saw a socket there.
 *
 * @param plannedAtMs milliseconds since the epoch
 */
export function removeCoverFiles(sockets: readonly BytePath[], plannedAtMs: number): void {
  for (const path of sockets) {
    if (kindAt(path) !== "file") continue;
    try {
      inParent(path, (parent, name) => {
        const stats = parent.stats(name);
        if (stats !== undefined && isCoverFile(stats, plannedAtMs)) parent.unlink(name);
      });
    } catch {
      // As where the directory has been closed: an empty file is no harm.
    }
  }
}

function isCoverFile(stats: BigIntStats, plannedAtMs: number): boolean {
  return stats.isFile() && stats.size === 0n && (stats.mode & writeBits) === 0n && Number(stats.uid) === process.geteuid?.() && Number(stats.birthtimeMs) >= plannedAtMs - clockLagMs;
}
