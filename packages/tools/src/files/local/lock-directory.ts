import { linkSync, readFileSync, readdirSync, renameSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { isProcessRunning, makeDirectory, ownProcess, type ProcessIdentity } from "@fencepost/sandbox";
import { errorCode } from "../error-code.ts";
import { asideName, isAsideName } from "../aside-name.ts";
import { sha256 } from "../hash.ts";
import { LockUnavailable, type SharedLocks } from "../write-locks.ts";
import { ageMs, foreignOwnerMs, isAbandoned } from "./abandoned.ts";

/** How long a call waits for another process, in milliseconds: a write takes a few. */
const lockWaitMs = 30_000;

/** Behind a lock's name: the lock of who takes it over from a dead owner. */
const takingOver = "-taking";

const firstPauseMs = 1;
const longestPauseMs = 25;

export interface LockOwner extends ProcessIdentity {
  /** The key the lock is for: a real path, or what else is held alone. */
  readonly key: string;
}

export interface LockDirectory extends SharedLocks {
  /** Takes over and lets go of every lock whose owner is gone. */
  releaseStale(): Promise<void>;
}

export interface LockDirectoryOptions {
  /** Cleans up what a dead owner left. May be called again for the same one, where its caller died meanwhile. */
  readonly onStale?: (owner: LockOwner) => Promise<void>;
  readonly waitMs?: number;
}

/** Locks as files in `directory`: `<sha256 of the key>`, made exclusively, naming the process that holds it. */
export function createLockDirectory(directory: string, options: LockDirectoryOptions = {}): LockDirectory {
  const { onStale, waitMs = lockWaitMs } = options;

  const takeOver = async (file: string, key: string): Promise<(() => void) | undefined> => {
    if (!isStale(file)) return undefined;
    // Alone: else it could be another's new lock that is put aside, and come back when that one is done with it.
    const alone = file + takingOver;
    const letGo = tryLock(alone, key, directory) ?? (await takeOver(alone, key));
    if (letGo === undefined) return undefined;
    const aside = asideName(file, "stale");
    let release: (() => void) | undefined;
    try {
      if (!isStale(file)) return undefined;
      renameSync(file, aside);
      release = tryLock(file, key, directory);
    } catch (error) {
      if (error instanceof LockUnavailable) throw error;
      return undefined;
    } finally {
      letGo();
    }
    await cleanUp(aside);
    return release;
  };

  /** The lock of a dead owner stays aside until what it left is cleaned up: who dies over it is cleaned up after too. */
  const cleanUp = async (aside: string): Promise<void> => {
    const text = readText(aside) ?? "";
    const owner = parseOwner(text);
    try {
      if (owner !== undefined && !isAlive(aside, text)) await onStale?.(owner);
      quietly(() => unlinkSync(aside));
    } catch {
      // It stays for the next start: that this one cannot clean up must not keep anybody from writing.
    }
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
        if (!isAsideName(name)) (await takeOver(file, parseOwner(readText(file))?.key ?? ""))?.();
        else if (isAbandoned(file)) await cleanUp(file);
      }
    },
  };
}

/** Undefined where somebody holds it. The file appears whole or not at all: it is written aside and linked. */
function tryLock(file: string, key: string, directory: string): (() => void) | undefined {
  const text = JSON.stringify({ ...ownProcess(), key } satisfies LockOwner);
  const aside = asideName(file, "new");
  try {
    writeAside(aside, text, directory);
    try {
      linkSync(aside, file);
    } finally {
      unlinkSync(aside);
    }
  } catch (error) {
    if (errorCode(error) === "EEXIST") return undefined;
    throw new LockUnavailable("failed", `The state directory ${directory} cannot be written (${errorCode(error) ?? "EIO"}), so nothing was written. Ask the user to make it writable, or to set HOME to a directory of their own.`);
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
    makeDirectory(directory);
    writeFileSync(aside, text, { mode: 0o600, flag: "wx" });
  }
}

function busy(file: string): LockUnavailable {
  const owner = parseOwner(readText(file));
  return new LockUnavailable("busy", `Another process${owner ? ` (pid ${owner.pid})` : ""} is writing this file and did not finish in time. Nothing was written; try again.`);
}

/** Somebody holds the lock, and is gone. */
function isStale(file: string): boolean {
  const text = readText(file);
  return text !== undefined && !isAlive(file, text);
}

/** A lock without a readable owner is what a power cut leaves: old enough, it is stale. */
function isAlive(file: string, text: string): boolean {
  const owner = parseOwner(text);
  return (owner && isProcessRunning(owner)) ?? ageMs(file) < foreignOwnerMs;
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
