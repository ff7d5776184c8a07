import { existsSync, rmSync } from "node:fs";
import type { BytePath } from "../backend/byte-path.ts";
import { appendJsonLine, readJsonLines } from "./json-lines.ts";

/** Written by somebody who may, while commands live. */
export interface AllowedWrite {
  readonly path: BytePath;
  /** What it left there, as `stateAt` tells it. Something else is somebody else's. */
  readonly state: string;
}

/** What sweeps behind the commands that live now must leave as it is. Forgotten once none does. */
export class AllowedWrites {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** Best effort: the write has been done by now. Where it cannot be noted, a sweep puts back what was before. */
  add(write: AllowedWrite): void {
    try {
      appendJsonLine(this.#path, write);
    } catch {
      // As on a full disk.
    }
  }

  all(): readonly AllowedWrite[] {
    return readJsonLines(this.#path, isAllowedWrite);
  }

  forget(): void {
    if (existsSync(this.#path)) rmSync(this.#path, { force: true });
  }
}

function isAllowedWrite(value: unknown): value is AllowedWrite {
  return typeof value === "object" && value !== null && "path" in value && typeof value.path === "string" && "state" in value && typeof value.state === "string";
}
