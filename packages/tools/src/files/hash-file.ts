import { createHash } from "node:crypto";
import { throwIfCancelled } from "./cancelled.ts";
import type { FileStat, FileSystem } from "./file-system.ts";
import { withFile } from "./read-all.ts";

const chunkBytes = 256 * 1024;

/**
 * SHA-256 (hex) of a file of any size, in bounded memory, and what it was when it was opened. A large file takes its
 * time: `signal` ends it with a `FileFault`.
 */
export function hashFile(fileSystem: FileSystem, path: string, signal?: AbortSignal): Promise<{ readonly hash: string; readonly stat: FileStat }> {
  return withFile(fileSystem, path, "read", async (file) => {
    const stat = await file.stat();
    const digest = createHash("sha256");
    const buffer = Buffer.allocUnsafe(Math.min(chunkBytes, stat.size + 1));
    for (let position = 0; ; ) {
      const count = await file.read(buffer, position);
      if (count === 0) return { hash: digest.digest("hex"), stat };
      digest.update(buffer.subarray(0, count));
      throwIfCancelled(signal);
      position += count;
    }
  });
}
