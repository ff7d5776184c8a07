import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { constants, mkdirSync, rmdirSync, statSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { makeDirectory } from "./make-directory.ts";
import { mayUse } from "./may-use.ts";

/** What a FIFO becomes before its name is gone. */
export interface FifoUse<Opened> {
  /** Opens the FIFO at this path. Must not wait for another end. */
  open(path: string): Opened;
  /** Closes one that nobody has taken. */
  discard(opened: Opened): void;
}

/** FIFOs made at once: starting `mkfifo` costs milliseconds, another name costs microseconds. */
const fifosPerBatch = 8;

/** With fewer than this left, the next ones are made while a command runs: it does not wait for them. */
const refillBelow = 3;

/** By absolute path: never looked up. */
const mkfifoPlaces = ["/usr/bin/mkfifo", "/bin/mkfifo"] as const;

/**
 * Hands out FIFOs that have no name any more: pipes of the kernel, which Node does not offer. Each is taken once, and
 * no sandboxed command can open one by its name while it has one.
 */
export class Fifos<Opened> {
  readonly #use: FifoUse<Opened>;
  readonly #sharedMemory: string;
  readonly #ready: Opened[] = [];
  #filling: Promise<void> | undefined;
  #closed = false;

  /** @param sharedMemory where names are made if that can be written: a sandbox has one of its own */
  constructor(use: FifoUse<Opened>, sharedMemory = "/dev/shm") {
    this.#use = use;
    this.#sharedMemory = sharedMemory;
  }

  /**
   * Rejects where none can be made, and after `close`.
   *
   * @param stateHome which no command can write: names are made there where the machine has no better place
   */
  async take(stateHome: string): Promise<Opened> {
    let opened = this.#ready.pop();
    for (; opened === undefined; opened = this.#ready.pop()) {
      if (this.#closed) throw new Error("it has been closed");
      await this.#fill(stateHome);
    }
    // Should that fail, whoever finds none left tries again and hears of it.
    if (this.#ready.length < refillBelow) this.#fill(stateHome).catch(() => undefined);
    return opened;
  }

  close(): void {
    this.#closed = true;
    for (const opened of this.#ready.splice(0)) this.#use.discard(opened);
  }

  #fill(stateHome: string): Promise<void> {
    this.#filling ??= this.#make(stateHome)
      .then((made) => {
        this.#ready.push(...made);
        if (this.#closed) this.close();
      })
      .finally(() => (this.#filling = undefined));
    return this.#filling;
  }

  async #make(stateHome: string): Promise<readonly Opened[]> {
    const program = mkfifoPlaces.find((path) => mayUse(path, constants.X_OK));
    if (program === undefined) throw new Error("mkfifo was not found in /usr/bin or /bin; install coreutils");
    const directory = makeHiddenDirectory(this.#sharedMemory, stateHome);
    const names = Array.from({ length: fifosPerBatch }, () => join(directory, randomBytes(nameBytes).toString("hex")));
    const made: Opened[] = [];
    try {
      await promisify(execFile)(program, ["-m", "600", ...names], { env: {}, cwd: "/" });
      for (const name of names) made.push(this.#use.open(name));
      return made;
    } catch (error) {
      for (const opened of made) this.#use.discard(opened);
      throw error;
    } finally {
      for (const name of names) unlinkIfThere(name);
      rmdirSync(directory);
    }
  }
}

const nameBytes = 12;

/** Entered by who knows a name in it, listed by nobody: not by the owner either, who has no capability in a sandbox. */
const unlistedMode = 0o300;

/**
 * Without shared memory the names are in the state home, where commands can change nothing: what they can neither list
 * nor guess they cannot open.
 */
function makeHiddenDirectory(sharedMemory: string, stateHome: string): string {
  const isHidden = process.platform === "linux" && mayUse(sharedMemory, constants.W_OK | constants.X_OK) && statSync(sharedMemory).isDirectory();
  const parent = isHidden ? sharedMemory : join(stateHome, "sandbox");
  if (!isHidden) makeDirectory(parent);
  const directory = join(parent, `fencepost-fifos-${randomBytes(nameBytes).toString("hex")}`);
  mkdirSync(directory, { mode: unlistedMode });
  return directory;
}

function unlinkIfThere(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // It was never made.
  }
}
