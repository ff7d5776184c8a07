import { randomBytes } from "node:crypto";
import { closeSync, constants, openSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import type { BytePath } from "../backend/byte-path.ts";
import { makeDirectory } from "../backend/make-directory.ts";
import { parentOf } from "../policy/paths.ts";
import type { DirectoryHandle } from "./directory-handle.ts";
import { readJsonLines } from "./json-lines.ts";
import { quarantineRoot } from "./state-file.ts";

/**
 * A protected entry that the quarantine could not take, as on a full disk, and that was given a neutral name where it
 * is: a rename needs no space. No program obeys it under that name.
 */
export interface SetAside {
  readonly id: string;
  /** What it was called. */
  readonly path: BytePath;
  /** What it is called now. */
  readonly beside: BytePath;
  readonly workspace: BytePath;
  readonly at: string;
}

/** Does not begin like any protected name, and says what it is to who finds it. */
const neutralPrefix = "fencepost-set-aside-";

/** A name on disk: 255 bytes. */
const maxNameBytes = 255;

/** Taken while there is room, so that records can be written when there is none: about 200 of them. */
const reservedBytes = 64 * 1024;

const idBytes = 6;

/** Renames an entry within its directory. */
export function setAside(parent: DirectoryHandle, name: BytePath, path: BytePath, workspace: BytePath): SetAside {
  const id = randomBytes(idBytes).toString("hex");
  const neutral = `${neutralPrefix}${id}-${name}`.slice(0, maxNameBytes);
  parent.rename(name, parent, neutral);
  return { id, path, beside: `${parentOf(path)}/${neutral}`, workspace, at: new Date().toISOString() };
}

/** What was set aside in the workspaces of one state home. Written in place, within space that was taken before. */
export class SetAsideRecords {
  readonly #path: string;

  constructor(stateHome: string) {
    this.#path = join(quarantineRoot(stateHome), "set-aside.jsonl");
  }

  /** Takes the space. Best effort: without it records may be lost, and the result still names the entries. */
  reserve(): void {
    try {
      makeDirectory(dirname(this.#path));
      const descriptor = openSync(this.#path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, 0o600);
      try {
        writeSync(descriptor, Buffer.alloc(reservedBytes, blank));
      } finally {
        closeSync(descriptor);
      }
    } catch {
      // There already, or there is no room for it.
    }
  }

  all(): readonly SetAside[] {
    return readJsonLines(this.#path, isSetAside);
  }

  /** False: there is no room. */
  add(record: SetAside): boolean {
    return this.#write([...this.all(), record]);
  }

  remove(id: string): void {
    this.#write(this.all().filter((record) => record.id !== id));
  }

  #write(records: readonly SetAside[]): boolean {
    const text = Buffer.from(records.map((record) => `${JSON.stringify(record)}\n`).join(""));
    if (text.length > reservedBytes) return false;
    try {
      const descriptor = openSync(this.#path, constants.O_WRONLY | constants.O_NOFOLLOW);
      try {
        writeSync(descriptor, Buffer.concat([text, Buffer.alloc(reservedBytes - text.length, blank)]), 0, reservedBytes, 0);
        return true;
      } finally {
        closeSync(descriptor);
      }
    } catch {
      return false;
    }
  }
}

const blank = " ";

function isSetAside(value: unknown): value is SetAside {
  return typeof value === "object" && value !== null && ["id", "path", "beside", "workspace", "at"].every((key) => key in value && typeof Reflect.get(value, key) === "string");
}
