import { randomBytes } from "node:crypto";
import { dirname, join } from "node:path";
import { ownProcess, type ProcessIdentity } from "@fencepost/sandbox";
import { asideName } from "./aside-name.ts";
import { FileSystemError, type FileSystem } from "./file-system.ts";
import { writeAll } from "./read-all.ts";
import { syncParent } from "./sync-parent.ts";

/** One thing that a killed process may have half done, with what is needed to take it back. Paths are real. */
export type JournalEntry =
  /** Replaced or created `path`. `backup`: name beside it that holds the old content; null where there was none. */
  | { readonly kind: "put"; readonly path: string; readonly backup: string | null; readonly after: string }
  /** Removed `path` by renaming it to `backup`. */
  | { readonly kind: "take"; readonly path: string; readonly backup: string }
  | { readonly kind: "move"; readonly from: string; readonly to: string }
  /** Made directories for new files, outermost first. */
  | { readonly kind: "parents"; readonly directories: readonly string[] }
  /** Rewrote `path` where it lies. Contents in base64. */
  | { readonly kind: "in-place"; readonly path: string; readonly before: string; readonly after: string };

export interface JournalRecord {
  readonly owner: ProcessIdentity;
  readonly entries: readonly JournalEntry[];
}

/** Undefined where the text is no record: a power cut emptied it before it was durable, so before anything changed. */
export function parseRecord(text: string): JournalRecord | undefined {
  try {
    const record: JournalRecord = JSON.parse(text);
    return Array.isArray(record.entries) && typeof record.owner.pid === "number" ? record : undefined;
  } catch {
    return undefined;
  }
}

/** Remembers what is about to be done until it is done: what a killed process leaves is taken back at the next start. */
export interface CommitJournal {
  /** Durable once this resolves. The function it gives forgets the record. */
  begin(entries: readonly JournalEntry[]): Promise<() => Promise<void>>;
}

/** A journal in a directory of its own: `<stateHome>/journal`. */
export function createCommitJournal(fileSystem: FileSystem, directory: string): CommitJournal {
  return {
    async begin(entries) {
      const path = join(directory, `${randomBytes(8).toString("hex")}.json`);
      // A record under its final name is whole: another process may look at it at any moment.
      const unfinished = asideName(path, "new");
      const text = Buffer.from(JSON.stringify({ owner: ownProcess(), entries } satisfies JournalRecord));
      try {
        const file = await createIn(fileSystem, unfinished);
        try {
          await writeAll(file, text, unfinished);
          await file.sync();
        } finally {
          await file.close();
        }
        await fileSystem.rename(unfinished, path);
        await syncParent(fileSystem, directory);
      } catch (error) {
        await fileSystem.unlink(unfinished).catch(() => undefined);
        throw error;
      }
      return () => fileSystem.unlink(path).catch(() => undefined);
    },
  };
}

async function createIn(fileSystem: FileSystem, path: string): ReturnType<FileSystem["open"]> {
  try {
    return await fileSystem.open(path, "create", 0o600);
  } catch (error) {
    if (!(error instanceof FileSystemError) || error.code !== "ENOENT") throw error;
    await makeStateDirectory(fileSystem, dirname(path));
    return fileSystem.open(path, "create", 0o600);
  }
}

async function makeStateDirectory(fileSystem: FileSystem, path: string): Promise<void> {
  try {
    await fileSystem.makeDirectory(path, 0o700);
  } catch (error) {
    if (!(error instanceof FileSystemError)) throw error;
    if (error.code === "EEXIST") return;
    if (error.code !== "ENOENT") throw error;
    await makeStateDirectory(fileSystem, dirname(path));
    await makeStateDirectory(fileSystem, path);
  }
}
