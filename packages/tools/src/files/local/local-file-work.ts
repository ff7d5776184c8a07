import { join } from "node:path";
import { createCommitJournal, type CommitJournal } from "../commit-journal.ts";
import type { FileSystem } from "../file-system.ts";
import { createWriteLocks, LockUnavailable, type WriteLocks } from "../write-locks.ts";
import { createLocalFileSystem } from "./local-file-system.ts";
import { createLockDirectory } from "./lock-directory.ts";
import { createRecovery } from "./recover-files.ts";

/** What the file tools of this machine's sessions share: pass it on to every session context of one state home. */
export interface LocalFileWork {
  readonly fileSystem: FileSystem;
  readonly writeLocks: WriteLocks;
  readonly journal: CommitJournal;
  /**
   * Takes back what killed processes left half done and removes their temporary files. Call once at start, before the
   * first call; what another process still does is left alone.
   */
  recover(): Promise<void>;
}

/** Locks in `<stateHome>/locks`, journal in `<stateHome>/journal`. Neither exists before the first write. */
export function createLocalFileWork(stateHome: string): LocalFileWork {
  const fileSystem = createLocalFileSystem();
  const journalDirectory = join(stateHome, "journal");
  const recovery = createRecovery(fileSystem, journalDirectory);
  const locks = createLockDirectory(join(stateHome, "locks"), {
    onStale: (owner) => (owner.key === recoveryKey ? Promise.resolve() : exclusively(() => recovery.recoverOwner(owner))),
  });
  const exclusively = async (work: () => Promise<void>): Promise<void> => {
    const release = await locks.acquire(recoveryKey);
    try {
      await work();
    } finally {
      release();
    }
  };
  return {
    fileSystem,
    writeLocks: createWriteLocks(locks),
    journal: createCommitJournal(fileSystem, journalDirectory),
    async recover() {
      try {
        await locks.releaseStale();
        await exclusively(() => recovery.recoverJournal());
      } catch (error) {
        // Where no lock can be made nobody writes either, and a call that tries says so: others need not fail with it.
        if (!(error instanceof LockUnavailable)) throw error;
      }
    },
  };
}

/** Not a path, so no file's lock: one process repairs at a time. */
const recoveryKey = "recovery";
