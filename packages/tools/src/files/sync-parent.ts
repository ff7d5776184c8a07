import type { FileSystem } from "./file-system.ts";

/**
 * Makes a finished rename durable. Some file systems cannot sync a directory; the content is in place either way, so a
 * failure here must not be told as "nothing was written".
 */
export async function syncParent(fileSystem: FileSystem, directory: string): Promise<void> {
  await fileSystem.syncDirectory(directory).catch(() => undefined);
}
