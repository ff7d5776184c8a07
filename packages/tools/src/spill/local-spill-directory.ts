import { chmodSync, closeSync, constants, fchmodSync, ftruncateSync, lstatSync, openSync, readSync, unlinkSync, writeSync } from "node:fs";
import { Buffer } from "node:buffer";
import { join } from "node:path";
import { makeDirectory } from "@fencepost/sandbox";
import { characterBoundary } from "./character-boundary.ts";
import { maxSpillFileBytes, type SpillDirectory, type SpillFile, type SpillWriter } from "./spill-directory.ts";
import { spillName } from "./spill-name.ts";
import { spillRoot } from "./spill-root.ts";

/** Two calls whose ids become the same name get `-2`, `-3`, … */
const maxSameNames = 100;

const ownerOnlyDirectory = 0o700;
const ownerOnlyFile = 0o600;

/** Spill files on this machine's disk, for their owner only, made when they are first written. */
export function createLocalSpillDirectory(stateHome: string, sessionId: string, maxFileBytes: number = maxSpillFileBytes): SpillDirectory {
  const path = join(spillRoot(stateHome), spillName(sessionId));
  return { path, open: (callId) => createWriter(path, [spillRoot(stateHome), path], spillName(callId), maxFileBytes) };
}

function createWriter(directory: string, chain: readonly string[], name: string, maxFileBytes: number): SpillWriter {
  let file: { readonly descriptor: number; readonly path: string } | undefined;
  let kept = 0;
  let capped = false;
  /** Nothing more is written: it failed, or it is over. */
  let ended = false;

  function close(): void {
    ended = true;
    if (file) quietly(() => closeSync(file?.descriptor ?? -1));
  }

  function drop(): void {
    const opened = file;
    close();
    file = undefined;
    if (opened) quietly(() => unlinkSync(opened.path));
  }

  function append(bytes: Uint8Array): void {
    file ??= createFile(directory, chain, name);
    const room = bytes.subarray(0, maxFileBytes - kept);
    if (room.length < bytes.length) capped = true;
    for (let done = 0; done < room.length; ) done += writeSync(file.descriptor, room, done, room.length - done, kept + done);
    kept += room.length;
  }

  return {
    write(bytes) {
      if (ended || bytes.length === 0) return;
      try {
        append(typeof bytes === "string" ? Buffer.from(bytes) : bytes);
      } catch {
        drop();
      }
    },
    finish(): Promise<SpillFile | undefined> {
      try {
        if (file && !ended && capped) endOnCharacter(file.descriptor, kept);
      } catch {
        drop();
      }
      close();
      return Promise.resolve(file && { path: file.path, capped });
    },
    discard(): Promise<void> {
      drop();
      return Promise.resolve();
    },
  };
}

/** A new file: never an existing one, never through a link. */
function createFile(directory: string, chain: readonly string[], name: string): { readonly descriptor: number; readonly path: string } {
  for (const step of chain) makeOwnDirectory(step);
  const flags = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  for (let copy = 1; copy <= maxSameNames; copy++) {
    const path = join(directory, `${copy === 1 ? name : `${name}-${copy}`}.txt`);
    try {
      const descriptor = openSync(path, flags, ownerOnlyFile);
      fchmodSync(descriptor, ownerOnlyFile);
      return { descriptor, path };
    } catch (error) {
      if (!isExists(error)) throw error;
    }
  }
  throw new Error(`${name} is taken too often`);
}

/** Creates a directory for its owner only; refuses one that is a link, or that another user owns. */
function makeOwnDirectory(path: string): void {
  makeDirectory(path);
  const stat = lstatSync(path);
  if (!stat.isDirectory()) throw new Error(`${path} is not a directory of its own`);
  if (process.getuid && stat.uid !== process.getuid()) throw new Error(`${path} belongs to another user`);
  if ((stat.mode & 0o777) !== ownerOnlyDirectory) chmodSync(path, ownerOnlyDirectory);
}

/** The cap may have fallen inside a character: then the file could not be read as text. */
function endOnCharacter(descriptor: number, size: number): void {
  const lastBytes = Buffer.alloc(Math.min(4, size));
  readSync(descriptor, lastBytes, 0, lastBytes.length, size - lastBytes.length);
  const start = characterBoundary(lastBytes, lastBytes.length - 1);
  const needed = characterBytes(lastBytes[start] ?? 0);
  if (lastBytes.length - start < needed) ftruncateSync(descriptor, size - (lastBytes.length - start));
}

function characterBytes(lead: number): number {
  if (lead >= 0xf0) return 4;
  if (lead >= 0xe0) return 3;
  return lead >= 0xc0 ? 2 : 1;
}

function isExists(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EEXIST";
}

function quietly(work: () => void): void {
  try {
    work();
  } catch {
    // Best effort: the result does not depend on it.
  }
}
