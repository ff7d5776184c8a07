import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";

/** Git's pointer files hold one line, its config files a few. */
const maxSmallFileBytes = 64 * 1024;

/** The text of a small regular file; undefined for anything else. Never waits, as reading a FIFO would. */
export function readSmallFile(path: string): string | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    const stats = fstatSync(descriptor);
    if (!stats.isFile() || stats.size > maxSmallFileBytes) return undefined;
    const buffer = Buffer.alloc(maxSmallFileBytes);
    return buffer.toString("utf8", 0, readSync(descriptor, buffer, 0, maxSmallFileBytes, 0));
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
