import { randomBytes } from "node:crypto";
import { appendFileSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import type { BytePath } from "../backend/byte-path.ts";
import { isProcessRunning, type ProcessIdentity } from "../backend/process-identity.ts";
import { isUnder } from "../policy/paths.ts";
import type { SandboxPolicyFields } from "../policy/policy.ts";
import { writeStateFile } from "./state-file.ts";

/** One command that lives, or was never cleaned up behind. */
export interface LiveCommand {
  readonly id: string;
  readonly host: ProcessIdentity;
  /** Process 1 of its sandbox, once known. */
  readonly init?: ProcessIdentity;
  readonly sessionId: string;
  readonly callId: string;
  readonly policy: SandboxPolicyFields;
  readonly baseline: string;
  /** Files and directories made so that a grant has something to open. */
  readonly placeholders: readonly BytePath[];
}

/** Written by somebody who may, while commands live. */
export interface AllowedWrite {
  readonly path: BytePath;
  /** SHA-256 of a file's content; null: whatever it holds. */
  readonly hash: string | null;
}

/** An entry of another boot or process namespace cannot be judged: it is taken for alive this long. */
const unknownWorldMs = 24 * 60 * 60 * 1000;

/** The commands of all processes that share a state home. One small file each, in a directory no command can write. */
export class LiveRegistry {
  readonly #directory: string;
  #made = false;

  constructor(stateHome: string) {
    this.#directory = join(stateHome, "sandbox", "live");
  }

  newId(): string {
    return `${Date.now().toString(36)}-${process.pid}-${randomBytes(6).toString("hex")}`;
  }

  /** Adds or replaces. Throws where the state home cannot be written. */
  put(command: LiveCommand): void {
    if (!this.#made) mkdirSync(this.#directory, { recursive: true, mode: 0o700 });
    this.#made = true;
    writeStateFile(this.#file(command.id), JSON.stringify(command));
  }

  remove(id: string): void {
    for (const name of [`${id}.json`, `${id}.marks`]) rmSync(join(this.#directory, name), { force: true });
    if (this.ids().length === 0) rmSync(this.#allowedFile(), { force: true });
  }

  ids(): readonly string[] {
    try {
      return readdirSync(this.#directory).filter((name) => name.endsWith(".json")).map((name) => name.slice(0, -".json".length));
    } catch {
      return [];
    }
  }

  /** Every other command whose workspace overlaps, alive or not. */
  others(id: string, workspaceRoot: string): readonly LiveCommand[] {
    return this.ids()
      .filter((other) => other !== id)
      .map((other) => this.#read(other))
      .filter((other) => other !== undefined)
      .filter((other) => isUnder(other.policy.workspaceRoot, workspaceRoot) || isUnder(workspaceRoot, other.policy.workspaceRoot));
  }

  /** Those whose host is gone, each handed to one caller only. */
  claimDead(): readonly LiveCommand[] {
    return this.ids().map((id) => this.#read(id)).filter((command) => command !== undefined).filter((command) => isDead(command) && this.#claim(command.id));
  }

  /** Names of the baselines that a sweep may still need. */
  baselinesInUse(): readonly string[] {
    return this.ids().map((id) => this.#read(id)?.baseline ?? "");
  }

  /** Tells the owner of another command what was found in the workspace they share. */
  mark(id: string, note: string): void {
    appendFileSync(join(this.#directory, `${id}.marks`), `${JSON.stringify(note)}\n`, { mode: 0o600 });
  }

  marksOf(id: string): readonly string[] {
    return lines(join(this.#directory, `${id}.marks`)).filter((note): note is string => typeof note === "string");
  }

  allow(write: AllowedWrite): void {
    appendFileSync(this.#allowedFile(), `${JSON.stringify(write)}\n`, { mode: 0o600 });
  }

  allowed(): readonly AllowedWrite[] {
    return lines(this.#allowedFile()).filter(isAllowedWrite);
  }

  #claim(id: string): boolean {
    try {
      renameSync(this.#file(id), join(this.#directory, `${id}.claimed`));
      unlinkSync(join(this.#directory, `${id}.claimed`));
      return true;
    } catch {
      return false;
    }
  }

  #read(id: string): LiveCommand | undefined {
    try {
      // Written by this module alone, in a directory that no command can write.
      const command: LiveCommand = JSON.parse(readFileSync(this.#file(id), "utf8"));
      return command;
    } catch {
      return undefined;
    }
  }

  #file(id: string): string {
    return join(this.#directory, `${id}.json`);
  }

  #allowedFile(): string {
    return join(this.#directory, "allowed");
  }
}

export function isDead(command: LiveCommand): boolean {
  const running = isProcessRunning(command.host);
  if (running !== undefined) return !running;
  const [stamp] = command.id.split("-");
  return Date.now() - Number.parseInt(stamp ?? "0", 36) > unknownWorldMs;
}

function lines(path: string): readonly unknown[] {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    return [];
  }
  return text.split("\n").filter((line) => line !== "").map((line): unknown => {
    try {
      return JSON.parse(line);
    } catch {
      return undefined;
    }
  });
}

function isAllowedWrite(value: unknown): value is AllowedWrite {
  return typeof value === "object" && value !== null && "path" in value && typeof value.path === "string" && "hash" in value;
}
