import { FileSystemError, type FileStat, type FileSystem, type OpenFile } from "./file-system.ts";

/** Opens, works and closes, whatever happens between. */
export async function withFile<T>(fileSystem: FileSystem, path: string, mode: "read" | "update", work: (file: OpenFile) => Promise<T>): Promise<T> {
  const file = await fileSystem.open(path, mode);
  try {
    return await work(file);
  } finally {
    await file.close();
  }
}

export interface WholeFile {
  readonly bytes: Buffer;
  readonly stat: FileStat;
}

/** All bytes of an open file, or null where it has more than `maxBytes`. Its size is not trusted: `/proc` files say 0. */
export async function readAll(file: OpenFile, maxBytes: number): Promise<WholeFile | null> {
  const stat = await file.stat();
  if (stat.size > maxBytes) return null;
  const buffer = Buffer.allocUnsafe(Math.min(maxBytes, Math.max(stat.size, unknownSizeBytes)) + 1);
  const parts: Buffer[] = [];
  let filled = 0;
  let total = 0;
  for (;;) {
    const count = await file.read(buffer.subarray(filled), total);
    filled += count;
    total += count;
    if (total > maxBytes) return null;
    if (count === 0) break;
    if (filled < buffer.length) continue;
    parts.push(Buffer.from(buffer));
    filled = 0;
  }
  const rest = buffer.subarray(0, filled);
  return { bytes: parts.length === 0 ? rest : Buffer.concat([...parts, rest]), stat };
}

const unknownSizeBytes = 64 * 1024;

/** Writes all of `bytes`: an interface may write fewer than it is asked to. */
export async function writeAll(file: OpenFile, bytes: Uint8Array, path: string): Promise<void> {
  for (let written = 0; written < bytes.length; ) {
    const count = await file.write(bytes.subarray(written), written);
    if (count <= 0) throw new FileSystemError("EIO", path, "write");
    written += count;
  }
}
