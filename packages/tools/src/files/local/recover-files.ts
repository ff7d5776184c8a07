import { dirname, isAbsolute, join } from "node:path";
import { readFile, readdir, rm } from "node:fs/promises";
import { isProcessRunning } from "@fencepost/sandbox";
import { parseRecord, type JournalEntry, type JournalRecord } from "../commit-journal.ts";
import { isAsideName } from "../aside-name.ts";
import { FileSystemError, type FileSystem } from "../file-system.ts";
import { hashFile } from "../hash-file.ts";
import { throughParent } from "../hold-parent.ts";
import { removeDirectories } from "../make-parents.ts";
import { exists, linkOrRename } from "../put-file.ts";
import { readAll, withFile } from "../read-all.ts";
import { isAbandoned } from "./abandoned.ts";
import { isTemporaryOf, type TemporaryOwner } from "../temporary-name.ts";
import { sha256 } from "../hash.ts";
import { maxInPlaceBytes, overwrite } from "../write-in-place.ts";
import type { LockOwner } from "./lock-directory.ts";

/** Repairs what dead processes left of their writes. */
export interface Recovery {
  /** What one dead holder of a lock left: its journal first (it needs the temporary files), then its temporary files. */
  recoverOwner(owner: LockOwner): Promise<void>;
  /** Every record whose process is gone. */
  recoverJournal(): Promise<void>;
  /** Takes back what one record says was begun, where it is still as the process left it. */
  takeBack(record: JournalRecord): Promise<void>;
}

export function createRecovery(fileSystem: FileSystem, journalDirectory: string): Recovery {
  const takeBack = async ({ entries, owner }: JournalRecord): Promise<void> => {
    for (const entry of entries.toReversed()) await takeBackEntry(fileSystem, entry, owner);
  };
  const recoverJournal = async (): Promise<void> => {
    for (const { path, record } of await readRecords(journalDirectory)) {
      if (isProcessRunning(record.owner) !== false) continue;
      await takeBack(record);
      await rm(path, { force: true });
    }
  };
  return {
    takeBack,
    recoverJournal,
    async recoverOwner(owner) {
      await recoverJournal();
      if (isAbsolute(owner.key)) await removeTemporaries(fileSystem, dirname(owner.key), owner);
    },
  };
}

async function readRecords(directory: string): Promise<readonly { readonly path: string; readonly record: JournalRecord }[]> {
  const names: readonly string[] = await readdir(directory).catch(() => []);
  for (const path of names.filter(isAsideName).map((name) => join(directory, name))) if (isAbandoned(path)) await rm(path, { force: true });
  const found: { readonly path: string; readonly record: JournalRecord }[] = [];
  for (const name of names.filter((candidate) => candidate.endsWith(".json"))) {
    const path = join(directory, name);
    const record = parseRecord(await readFile(path, "utf8").catch(() => ""));
    if (record) found.push({ path, record });
    else await rm(path, { force: true });
  }
  return found;
}

/** Only what is still as the dead process left it: what somebody changed since stays theirs. */
async function takeBackEntry(fileSystem: FileSystem, entry: JournalEntry, owner: TemporaryOwner): Promise<void> {
  try {
    switch (entry.kind) {
      case "put":
        return await takeBackPut(fileSystem, entry);
      case "take":
        return await throughParent(fileSystem, entry.path, async (target, at) => {
          if ((await exists(fileSystem, at(entry.backup))) && !(await exists(fileSystem, target))) await linkOrRename(fileSystem, at(entry.backup), target);
        });
      case "move":
        return await throughParent(fileSystem, entry.to, (to) => throughParent(fileSystem, entry.from, (from) => takeBackMove(fileSystem, from, to)));
      case "parents":
        for (const directory of entry.directories) await removeTemporaries(fileSystem, directory, owner);
        return await removeDirectories(fileSystem, entry.directories);
      case "in-place":
        return await throughParent(fileSystem, entry.path, (target) => takeBackInPlace(fileSystem, target, entry));
    }
  } catch (error) {
    // A place that is gone, or not ours to write any more, has nothing to repair.
    if (!(error instanceof FileSystemError)) throw error;
  }
}

async function takeBackPut(fileSystem: FileSystem, entry: Extract<JournalEntry, { kind: "put" }>): Promise<void> {
  await throughParent(fileSystem, entry.path, async (target, at) => {
    const current = await hashFile(fileSystem, target);
    if (current.hash !== entry.after) {
      // Not replaced yet, or somebody else's since: what was kept for taking it back is of no use.
      if (entry.backup !== null && (await exists(fileSystem, at(entry.backup)))) await fileSystem.unlink(at(entry.backup));
    } else if (entry.backup === null) await fileSystem.unlink(target);
    else if (await exists(fileSystem, at(entry.backup))) await fileSystem.rename(at(entry.backup), target);
  });
}

async function takeBackMove(fileSystem: FileSystem, from: string, to: string): Promise<void> {
  const moved = await fileSystem.lstat(to);
  if (!(await exists(fileSystem, from))) return linkOrRename(fileSystem, to, from);
  const original = await fileSystem.lstat(from);
  if (original.inode === moved.inode && original.device === moved.device) await fileSystem.unlink(to);
}

async function takeBackInPlace(fileSystem: FileSystem, target: string, entry: Extract<JournalEntry, { kind: "in-place" }>): Promise<void> {
  const before = Buffer.from(entry.before, "base64");
  const after = Buffer.from(entry.after, "base64");
  await withFile(fileSystem, target, "update", async (file) => {
    const current = await readAll(file, 2 * maxInPlaceBytes);
    if (current === null || sha256(current.bytes) === sha256(after) || !isHalfWritten(current.bytes, before, after)) return;
    await overwrite(file, before, target);
  });
}

/** Whether `current` is what writing `after` over `before` from the start looks like when it is interrupted. */
function isHalfWritten(current: Buffer, before: Buffer, after: Buffer): boolean {
  let same = 0;
  while (same < current.length && current[same] === after[same]) same++;
  return current.subarray(same).equals(before.subarray(same));
}

async function removeTemporaries(fileSystem: FileSystem, directory: string, owner: TemporaryOwner): Promise<void> {
  try {
    for (const { name, kind } of await fileSystem.readDirectory(directory)) {
      if (kind !== "file" || !isTemporaryOf(name, owner)) continue;
      await throughParent(fileSystem, join(directory, name), (path) => fileSystem.unlink(path));
    }
  } catch (error) {
    if (!(error instanceof FileSystemError)) throw error;
  }
}
