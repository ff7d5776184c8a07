import { randomBytes } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, readdirSync, renameSync, statSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { isProcessRunning, ownProcess, type ProcessIdentity } from "@fencepost/sandbox";
import { sha256 } from "../hash.ts";
import { LockUnavailable, type SharedLocks } from "../write-locks.ts";

/** How long a call waits for another process, in milliseconds: a write takes a few. */
const lockWaitMs = 30_000;

/** A lock of another machine or container cannot be judged by its pid; after this time in milliseconds it is stale. */
const foreignLockMs = 300_000;

const firstPauseMs = 1;
const longestPauseMs = 25;

export interface LockOwner extends ProcessIdentity {
  /** The key the lock is for: a real path. */
  readonly key: string;
}

export interface LockDirectory extends SharedLocks {
  /** Takes over and lets go of every lock whose owner is gone. */
  releaseStale(): Promise<void>;
}

export interface LockDirectoryOptions {
  /** Cleans up what a dead owner left, while its lock is held. */
  readonly onStale?: (owner: LockOwner) => Promise<void>;
  readonly waitMs?: number;
}

/** Locks as files in `directory`: `<sha256 of the key>`, made exclusively, naming the process that holds it. */
export function createLockDirectory(directory: string, options: LockDirectoryOptions = {}): LockDirectory {
  const { onStale, waitMs = lockWaitMs } = options;

  const takeOver = async (file: string, key: string): Promise<(() => void) | undefined> => {
    const stale = readText(file);
    if (stale === undefined || isAlive(file, stale)) return undefined;
    // Whoever renames it has it: then it must still be the one that was judged stale, else it goes back.
    const aside = `${file}.${randomBytes(6).toString("hex")}.stale`;
    try {
      renameSync(file, aside);
    } catch {
      return undefined;
    }
    if (readText(aside) !== stale) {
      quietly(() => linkSync(aside, file));
      quietly(() => unlinkSync(aside));
      return undefined;
    }
    const release = tryLock(file, key, directory);
    quietly(() => unlinkSync(aside));
    const owner = parseOwner(stale);
    if (release !== undefined && owner !== undefined) await onStale?.(owner);
    return release;
  };

  return {
    async acquire(key, signal) {
      const file = join(directory, sha256(Buffer.from(key)));
      const giveUpAt = performance.now() + waitMs;
      for (let pause = firstPauseMs; ; pause = Math.min(2 * pause, longestPauseMs)) {
        const release = tryLock(file, key, directory) ?? (await takeOver(file, key));
        if (release !== undefined) return release;
        if (performance.now() > giveUpAt) throw busy(file);
        await delay(pause, undefined, { ...(signal && { signal }) }).catch(() => undefined);
        if (signal?.aborted) throw new LockUnavailable("cancelled", "The call was cancelled while it waited to write.");
      }
    },
    async releaseStale() {
      for (const name of namesIn(directory)) {
        const file = join(directory, name);
        if (name.endsWith(".stale") || name.endsWith(".new")) quietly(() => dropOld(file));
        else (await takeOver(file, parseOwner(readText(file))?.key ?? ""))?.();
      }
    },
  };
}

/** Undefined where somebody holds it. The file appears whole or not at all: it is written aside and linked. */
function tryLock(file: string, key: string, directory: string): (() => void) | undefined {
  const text = JSON.stringify({ ...ownProcess(), key } satisfies LockOwner);
  const aside = `${file}.${randomBytes(6).toString("hex")}.new`;
  try {
    writeAside(aside, text, directory);
    try {
      linkSync(aside, file);
    } finally {
      unlinkSync(aside);
    }
  } catch (error) {
    if (errorCode(error) === "EEXIST") return undefined;
    throw new LockUnavailable("failed", `The write lock could not be made in ${directory} (${errorCode(error)}). Nothing was written.`);
  }
  return () => {
    if (readText(file) === text) quietly(() => unlinkSync(file));
  };
}

function writeAside(aside: string, text: string, directory: string): void {
  try {
    writeFileSync(aside, text, { mode: 0o600, flag: "wx" });
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    writeFileSync(aside, text, { mode: 0o600, flag: "wx" });
  }
}

function busy(file: string): LockUnavailable {
  const owner = parseOwner(readText(file));
  return new LockUnavailable("busy", `Another process${owner ? ` (pid ${owner.pid})` : ""} is writing this file and did not finish in time. Nothing was written; try again.`);
}

/** A lock without a readable owner is what a power cut leaves: old enough, it is stale. */
function isAlive(file: string, text: string): boolean {
  const owner = parseOwner(text);
  return (owner && isProcessRunning(owner)) ?? ageMs(file) < foreignLockMs;
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

function parseOwner(text: string | undefined): LockOwner | undefined {
  try {
    const value: unknown = JSON.parse(text ?? "");
    return isOwner(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isOwner(value: unknown): value is LockOwner {
  if (typeof value !== "object" || value === null) return false;
  const fields = value as Partial<Record<keyof LockOwner, unknown>>;
  return Number.isSafeInteger(fields.pid) && [fields.started, fields.place, fields.key].every((field) => typeof field === "string");
}

/** What a process left that died between making a file aside and using it. */
function dropOld(file: string): void {
  if (ageMs(file) > foreignLockMs) unlinkSync(file);
}

function ageMs(file: string): number {
  try {
    return Date.now() - statSync(file).mtimeMs;
  } catch {
    return 0;
  }
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

function quietly(work: () => void): void {
  try {
    work();
  } catch {
    // The file is gone already, or not ours any more: both are fine.
  }
}

function errorCode(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "EIO";
}
