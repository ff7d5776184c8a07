import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { toBytes, type BytePath } from "../backend/byte-path.ts";
import { makeDirectory } from "../backend/make-directory.ts";
import { DirectoryHandle, inParent, isErrno } from "./directory-handle.ts";
import { appendJsonLine, readJsonLines } from "./json-lines.ts";
import { copyEntry, moveEntry } from "./move-entry.ts";
import { setAside, SetAsideRecords } from "./set-aside.ts";
import { quarantineRoot } from "./state-file.ts";

/** What one quarantined entry was. */
export interface QuarantineRecord {
  readonly number: number;
  /** One character a byte. */
  readonly path: BytePath;
  readonly workspace: BytePath;
  /** `new`: it did not exist before the command. `changed`: the version a command left, since put back to what it was. */
  readonly why: "new" | "changed";
  readonly at: string;
}

const manifestName = "manifest.jsonl";

/** One call's part of the quarantine: a numbered directory an entry, each entry under its own name. */
export class QuarantineCall {
  readonly directory: string;
  #count = 0;
  readonly #workspace: BytePath;
  readonly #stateHome: string;

  constructor(stateHome: string, sessionId: string, callId: string, workspace: BytePath) {
    this.directory = join(quarantineRoot(stateHome), safeName(sessionId), safeName(callId));
    this.#workspace = workspace;
    this.#stateHome = stateHome;
  }

  /** Takes an entry out of the workspace. False: it is no longer there. `storedAs`: its name, if not the one it has. */
  take(parent: DirectoryHandle, name: BytePath, path: BytePath, storedAs: BytePath = name): boolean {
    if (parent.stats(name) === undefined) return false;
    this.#store(path, "new", (into) => moveEntry(parent, name, into, storedAs));
    return true;
  }

  /** Where it cannot be taken: gives it a name that nothing obeys. False: that failed, too. */
  setAside(path: BytePath): boolean {
    try {
      const record = inParent(path, (parent, name) => (parent.stats(name) === undefined ? undefined : setAside(parent, name, path, this.#workspace)));
      if (record !== undefined) new SetAsideRecords(this.#stateHome).add(record);
      return record !== undefined;
    } catch {
      return false;
    }
  }

  /** Keeps a copy of what a command made of an entry; the entry itself stays. */
  copy(parent: DirectoryHandle, name: BytePath, path: BytePath): void {
    this.#store(path, "changed", (into) => copyEntry(parent, name, into, name));
  }

  /** Like `take`, for an entry that is put back to what it was. */
  replace(parent: DirectoryHandle, name: BytePath, path: BytePath): void {
    this.#store(path, "changed", (into) => moveEntry(parent, name, into, name));
  }

  #store(path: BytePath, why: QuarantineRecord["why"], put: (into: DirectoryHandle) => void): void {
    makeDirectory(this.directory);
    const slot = this.#makeSlot();
    const record: QuarantineRecord = { number: this.#count, path, workspace: this.#workspace, why, at: new Date().toISOString() };
    appendJsonLine(join(this.directory, manifestName), record);
    const into = DirectoryHandle.open(toBytes(slot));
    try {
      put(into);
    } finally {
      into.close();
    }
  }

  /** Of the next free number: who died over one, or has the same ids, may have left a directory without a record. */
  #makeSlot(): string {
    for (;;) {
      this.#count += 1;
      const slot = join(this.directory, String(this.#count));
      try {
        mkdirSync(slot, { mode: 0o700 });
        return slot;
      } catch (error) {
        if (!isErrno(error, "EEXIST")) throw error;
      }
    }
  }
}

export function readManifest(directory: string): readonly QuarantineRecord[] {
  return readJsonLines(join(directory, manifestName), isRecord);
}

function isRecord(value: unknown): value is QuarantineRecord {
  return typeof value === "object" && value !== null && "number" in value && typeof value.number === "number" && "path" in value && typeof value.path === "string" && "why" in value;
}

/** Ids become one path segment: nothing in them can lead elsewhere. */
export function safeName(id: string): string {
  return id.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 200) || "_";
}
