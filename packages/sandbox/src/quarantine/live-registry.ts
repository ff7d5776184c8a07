import { randomBytes } from "node:crypto";
import { appendFileSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { BytePath } from "../backend/byte-path.ts";
import { makeDirectory } from "../backend/make-directory.ts";
import { isProcessRunning, ownProcess, type ProcessIdentity } from "../backend/process-identity.ts";
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
    if (!this.#made) makeDirectory(this.#directory);
    this.#made = true;
    writeStateFile(this.#file(command.id), JSON.stringify(command));
  }

  /**
   * Forgets a command that has ended. As long as others are here it is kept among the departed: one that starts at this
   * moment may have seen what it made, and not it.
   */
  remove(id: string): void {
    const others = this.ids().filter((other) => other !== id);
    if (others.length > 0) renameIfThere(this.#file(id), join(this.#directory, `${id}.${Date.now()}${departedSuffix}`));
    for (const name of [`${id}.json`, `${id}.marks`, `${id}${recoverySuffix}`]) rmSync(join(this.#directory, name), { force: true });
    if (this.ids().length > 0) return;
    rmSync(this.#allowedFile(), { force: true });
    for (const name of this.#names(departedSuffix)) rmSync(join(this.#directory, name), { force: true });
  }

  ids(): readonly string[] {
    return this.#names(".json").map((name) => name.slice(0, -".json".length));
  }

  /** Commands whose workspace overlaps and that have ended since: milliseconds since the epoch. */
  departed(workspaceRoot: string, since: number): readonly LiveCommand[] {
    return this.#names(departedSuffix)
      .filter((name) => Number(name.split(".").at(-2)) >= since)
      .map((name) => this.#readFile(join(this.#directory, name)))
      .filter((command) => command !== undefined)
      .filter((command) => overlaps(command, workspaceRoot));
  }

  /** Every other command whose workspace overlaps, alive or not. */
  others(id: string, workspaceRoot: string): readonly LiveCommand[] {
    return this.ids()
      .filter((other) => other !== id)
      .map((other) => this.#read(other))
      .filter((other) => other !== undefined)
      .filter((other) => overlaps(other, workspaceRoot));
  }

  /** Those whose host is gone. */
  dead(): readonly LiveCommand[] {
    return this.ids().map((id) => this.#read(id)).filter((command) => command !== undefined).filter(isDead);
  }

  /** Names of the baselines that a sweep may still need. */
  baselinesInUse(): readonly string[] {
    const departed = this.#names(departedSuffix).map((name) => this.#readFile(join(this.#directory, name)));
    return [...this.ids().map((id) => this.#read(id)), ...departed].map((command) => command?.baseline ?? "");
  }

  /**
   * Hands a dead command to one caller only, who calls `remove` once it has swept behind it, or `unclaim`. Until then it
   * stays on disk: whoever dies over it leaves it to the next.
   */
  claim(id: string): boolean {
    const claim = join(this.#directory, `${id}${recoverySuffix}`);
    if (!makeClaim(claim) && !(takeStaleClaim(claim) && makeClaim(claim))) return false;
    // Somebody else may have finished between the look at the command and the claim.
    if (existsSync(this.#file(id))) return true;
    this.unclaim(id);
    return false;
  }

  unclaim(id: string): void {
    rmSync(join(this.#directory, `${id}${recoverySuffix}`), { force: true });
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

  #read(id: string): LiveCommand | undefined {
    return this.#readFile(this.#file(id));
  }

  #readFile(path: string): LiveCommand | undefined {
    try {
      // Written by this module alone, in a directory that no command can write.
      const command: LiveCommand = JSON.parse(readFileSync(path, "utf8"));
      return command;
    } catch {
      return undefined;
    }
  }

  #names(suffix: string): readonly string[] {
    try {
      return readdirSync(this.#directory).filter((name) => name.endsWith(suffix));
    } catch {
      return [];
    }
  }

  #file(id: string): string {
    return join(this.#directory, `${id}.json`);
  }

  #allowedFile(): string {
    return join(this.#directory, "allowed");
  }
}

/** An unfinished claim that does not say whose it is. */
const unsignedClaimMs = 10_000;

const recoverySuffix = ".recovery";

const departedSuffix = ".departed";

function makeClaim(path: string): boolean {
  try {
    writeFileSync(path, JSON.stringify(ownProcess()), { flag: "wx", mode: 0o600 });
    return true;
  } catch {
    return false;
  }
}

/** True: whoever claimed it is gone, and the claim with him. */
function takeStaleClaim(path: string): boolean {
  const [owner] = lines(path);
  const running = isIdentity(owner) ? isProcessRunning(owner) : ageMs(path) < unsignedClaimMs;
  if (running ?? ageMs(path) < unknownWorldMs) return false;
  const aside = `${path}.${randomBytes(6).toString("hex")}`;
  if (!renameIfThere(path, aside)) return false;
  rmSync(aside, { force: true });
  return true;
}

function renameIfThere(from: string, to: string): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch {
    return false;
  }
}

function ageMs(path: string): number {
  try {
    return Date.now() - statSync(path).mtimeMs;
  } catch {
    return 0;
  }
}

function overlaps({ policy }: LiveCommand, workspaceRoot: string): boolean {
  return isUnder(policy.workspaceRoot, workspaceRoot) || isUnder(workspaceRoot, policy.workspaceRoot);
}

function isIdentity(value: unknown): value is ProcessIdentity {
  return typeof value === "object" && value !== null && "pid" in value && typeof value.pid === "number" && "started" in value && typeof value.started === "string" && "place" in value && typeof value.place === "string";
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
