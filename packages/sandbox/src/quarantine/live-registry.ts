import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import type { BytePath } from "../backend/byte-path.ts";
import { makeDirectory } from "../backend/make-directory.ts";
import { isProcessRunning, type ProcessIdentity } from "../backend/process-identity.ts";
import { unknownWorldMs } from "../limits.ts";
import { isUnder } from "../policy/paths.ts";
import type { SandboxPolicyFields } from "../policy/policy-fields.ts";
import { AllowedWrites } from "./allowed-writes.ts";
import { isErrno } from "./directory-handle.ts";
import { appendJsonLine, readJsonLines } from "./json-lines.ts";
import { claimRecovery, releaseClaim } from "./recovery-claims.ts";
import { writeStateFile } from "./state-file.ts";

/** One command that lives, or that nobody has cleaned up behind yet. */
export interface LiveCommand {
  readonly id: string;
  readonly host: ProcessIdentity;
  /** Process 1 of its sandbox, once known. */
  readonly init?: ProcessIdentity;
  readonly sessionId: string;
  readonly callId: string;
  readonly policy: SandboxPolicyFields;
  /** The name of its baseline, or `notBegun`. */
  readonly baseline: string;
  /** Files and directories made so that a grant has something to open. */
  readonly placeholders: readonly BytePath[];
  /** Its host has given up waiting for its end: whoever comes once `init` is gone sweeps behind it. */
  readonly givenUp?: boolean;
}

/** The name of a command's baseline before it has one: it cannot have made anything yet. */
export const notBegun = "";

/** The commands of all processes that share a state home. One small file each, in a directory no command can write. */
export class LiveRegistry {
  readonly #directory: string;
  readonly allowed: AllowedWrites;

  constructor(stateHome: string) {
    this.#directory = join(stateHome, "sandbox", "live");
    this.allowed = new AllowedWrites(join(this.#directory, "allowed"));
  }

  newId(): string {
    return `${Date.now().toString(36)}-${process.pid}-${randomBytes(6).toString("hex")}`;
  }

  /** Throws where the state home cannot be written. */
  add(command: LiveCommand): void {
    try {
      this.replace(command);
    } catch (error) {
      if (!isErrno(error, "ENOENT")) throw error;
      makeDirectory(this.#directory);
      this.replace(command);
    }
  }

  /** Throws where the state home cannot be written, or has been removed meanwhile. */
  replace(command: LiveCommand): void {
    writeStateFile(this.#file(command.id, recordSuffix), JSON.stringify(command));
  }

  /** Says that the command's host lives. Best effort: without it more counts as made by somebody else. */
  beat(id: string): void {
    try {
      const now = new Date();
      utimesSync(this.#file(id, recordSuffix), now, now);
    } catch {
      // As where the record has been removed.
    }
  }

  /** When the command's host last said so: milliseconds since the epoch. */
  lastBeatMs(id: string): number {
    return statSync(this.#file(id, recordSuffix)).mtimeMs;
  }

  /**
   * Forgets a command that has ended. As long as others are being prepared it is kept among the departed: one of them may
   * have seen what it made, and not it.
   */
  remove(id: string): void {
    // Listed first: what is left there from now on is for somebody who comes from now on.
    const departed = this.#names(departedSuffix);
    const isAwaited = this.#commands(id).some((other) => other.baseline === notBegun);
    if (isAwaited) renameIfThere(this.#file(id, recordSuffix), this.#file(`${id}.${Date.now()}`, departedSuffix));
    else for (const name of departed) removeIfThere(join(this.#directory, name));
    for (const suffix of [recordSuffix, marksSuffix, claimSuffix]) removeIfThere(this.#file(id, suffix));
    if (this.#names(recordSuffix).length === 0) this.allowed.forget();
  }

  /** Commands whose workspace overlaps and that have ended since: milliseconds since the epoch. */
  departed(workspaceRoot: string, since: number): readonly LiveCommand[] {
    return this.#names(departedSuffix)
      .filter((name) => Number(name.split(".").at(-2)) >= since)
      .flatMap((name) => this.#read(name))
      .filter((command) => overlaps(command, workspaceRoot));
  }

  /** Every other command whose workspace overlaps, alive or not. */
  others(id: string, workspaceRoot: string): readonly LiveCommand[] {
    return this.#commands(id).filter((other) => overlaps(other, workspaceRoot));
  }

  /** Those that somebody has to clean up behind. */
  dead(): readonly LiveCommand[] {
    return this.#commands().filter(isDead);
  }

  /** Names of the baselines that a sweep may still need. */
  baselinesInUse(): ReadonlySet<string> {
    const departed = this.#names(departedSuffix).flatMap((name) => this.#read(name));
    return new Set([...this.#commands(), ...departed].map((command) => command.baseline));
  }

  /**
   * Hands a dead command to one caller only, who calls `remove` once it has swept behind it, or `unclaim`. Until then it
   * stays on disk: whoever dies over it leaves it to the next.
   */
  claim(id: string): boolean {
    if (!claimRecovery(this.#file(id, claimSuffix))) return false;
    // Somebody else may have finished between the look at the command and the claim.
    if (existsSync(this.#file(id, recordSuffix))) return true;
    this.unclaim(id);
    return false;
  }

  unclaim(id: string): void {
    releaseClaim(this.#file(id, claimSuffix));
  }

  /** Tells the owner of another command what was found in the workspace they share. Best effort, as on a full disk. */
  mark(id: string, note: string): void {
    try {
      appendJsonLine(this.#file(id, marksSuffix), note);
    } catch {
      // Its own sweep still judges what it did.
    }
  }

  marksOf(id: string): readonly string[] {
    return readJsonLines(this.#file(id, marksSuffix), (note): note is string => typeof note === "string");
  }

  /** All but one, which is not even read. */
  #commands(except = ""): readonly LiveCommand[] {
    return this.#names(recordSuffix).filter((name) => name !== except + recordSuffix).flatMap((name) => this.#read(name));
  }

  #read(name: string): readonly LiveCommand[] {
    try {
      // Written by this module alone, in a directory that no command can write.
      const command: LiveCommand = JSON.parse(readFileSync(join(this.#directory, name), "utf8"));
      return [command];
    } catch {
      return [];
    }
  }

  #names(suffix: string): readonly string[] {
    try {
      return readdirSync(this.#directory).filter((name) => name.endsWith(suffix));
    } catch {
      return [];
    }
  }

  #file(id: string, suffix: string): string {
    return join(this.#directory, id + suffix);
  }
}

const recordSuffix = ".json";

const marksSuffix = ".marks";

const claimSuffix = ".recovery";

const departedSuffix = ".departed";

/** Nobody who lives looks after it any more. */
export function isDead({ id, host, init, givenUp }: LiveCommand): boolean {
  const running = isProcessRunning(host);
  if (running === undefined) return Date.now() - Number.parseInt(id.split("-")[0] ?? "0", 36) > unknownWorldMs;
  return !running || (givenUp === true && init !== undefined && isProcessRunning(init) === false);
}

/** Most are not there, and asking so is cheaper than failing. */
function removeIfThere(path: string): void {
  if (existsSync(path)) rmSync(path, { force: true });
}

function renameIfThere(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (!isErrno(error, "ENOENT")) throw error;
  }
}

function overlaps({ policy }: LiveCommand, workspaceRoot: string): boolean {
  return isUnder(policy.workspaceRoot, workspaceRoot) || isUnder(workspaceRoot, policy.workspaceRoot);
}
