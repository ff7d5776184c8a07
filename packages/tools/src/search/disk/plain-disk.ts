import { readFileSync } from "node:fs";
import { isUnder } from "@fencepost/sandbox";

/**
 * File systems that the kernel reads through its page cache: a read gives less than was asked for only where the file
 * ends. Their directories say by their size that they have many entries. Neither is so for those of other programs
 * (FUSE) and the kernel's own (`/proc`), nor for certain for what lies on others (overlay).
 */
const plain: ReadonlySet<string> = new Set(["ext2", "ext3", "ext4", "xfs", "btrfs", "f2fs", "tmpfs"]);

/** Whether everything below `root` lies on such file systems: elsewhere the kernel is asked more, to be certain. */
export function isOnPlainDisk(root: string): boolean {
  try {
    return process.platform === "linux" && arePlain(readFileSync("/proc/self/mountinfo", "utf8"), root);
  } catch {
    return false;
  }
}

/** @param mountInfo what `/proc/self/mountinfo` says: see proc_pid_mountinfo(5) */
export function arePlain(mountInfo: string, root: string): boolean {
  let longest = -1;
  let holdsRoot = false;
  for (const line of mountInfo.split("\n")) {
    const [mounted, source] = line.split(" - ");
    const place = mounted?.split(" ")[4]?.replaceAll(/\\([0-7]{3})/gu, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
    if (place === undefined || source === undefined) continue;
    const isPlain = plain.has(source.split(" ")[0] ?? "");
    if (isUnder(place, root) && !isPlain) return false;
    // A later mount lies above an earlier one at the same place.
    if (isUnder(root, place) && place.length >= longest) {
      longest = place.length;
      holdsRoot = isPlain;
    }
  }
  return holdsRoot;
}
