import type { CheckedPath } from "../paths/checked-path.ts";
import type { FileWork } from "./file-work.ts";
import { LockUnavailable, withLocks } from "./write-locks.ts";

/** How often a file may turn out to be another one while its lock was waited for. */
const maxAttempts = 8;

/**
 * Runs `work` while it holds the locks of paths and of the files that lie there: a file may have other names (hard
 * links, a directory mounted twice, a disk that ignores case), and who writes through one of them waits too.
 * Rejects with `LockUnavailable` like one lock.
 */
export function lockFiles<T>(files: Pick<FileWork, "fileSystem" | "writeLocks">, paths: readonly CheckedPath[], work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  const reals = paths.map((path) => path.real);
  // Paths before files, everywhere: so no two calls wait for each other.
  return withLocks(files.writeLocks, reals, () => lockIdentities(files, reals, work, signal), signal);
}

async function lockIdentities<T>({ fileSystem, writeLocks }: Pick<FileWork, "fileSystem" | "writeLocks">, reals: readonly string[], work: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  const identities = async (): Promise<readonly string[]> => (await Promise.all(reals.map((real) => identityOf(fileSystem, real)))).flat().toSorted();
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const wanted = await identities();
    const held = async (): Promise<{ readonly value: T } | undefined> => {
      const now = await identities();
      return now.join() === wanted.join() ? { value: await work() } : undefined;
    };
    const done = await withLocks(writeLocks, wanted, held, signal);
    if (done !== undefined) return done.value;
  }
  throw new LockUnavailable("busy", "Another program replaces this file again and again. Nothing was written; try again.");
}

/** No path, so no key of one. Nothing there has no identity, and what cannot be looked at is refused by the work itself. */
async function identityOf(fileSystem: FileWork["fileSystem"], real: string): Promise<readonly string[]> {
  const stat = await fileSystem.lstat(real).catch(() => undefined);
  return stat?.kind === "file" ? [`file ${stat.device}:${stat.inode}`] : [];
}
