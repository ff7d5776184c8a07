import { execFile } from "node:child_process";
import { closeSync, constants, existsSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

/** Keeps one runner from starting its command until somebody has looked at what it has set up. */
export interface Gate {
  /** For the runner's `--block-fd`. It can be written too, so that the death of this process does not open the gate. */
  readonly descriptor: number;
  open(): void;
  /** Without effect on a second call. */
  close(): void;
}

/** Gates made at once: starting `mkfifo` costs milliseconds, another name costs microseconds. */
const gatesPerBatch = 8;

/** With fewer than this left, the next ones are made while a command runs. */
const refillBelow = 3;

/** By absolute path: never looked up. */
const mkfifoPlaces = ["/usr/bin/mkfifo", "/bin/mkfifo"] as const;

/** The runner reads once or twice, one byte each. */
const openingBytes = "go";

/** Hands out gates; each is used once. */
export class Gates {
  readonly #ready: number[] = [];
  #filling: Promise<void> | undefined;
  #closed = false;

  async take(): Promise<Gate> {
    let descriptor = this.#ready.pop();
    for (; descriptor === undefined; descriptor = this.#ready.pop()) await this.#fill();
    // Should that fail, whoever finds none left tries again and hears of it.
    if (this.#ready.length < refillBelow) this.#fill().catch(() => undefined);
    return gateOn(descriptor);
  }

  close(): void {
    this.#closed = true;
    for (const descriptor of this.#ready.splice(0)) closeSync(descriptor);
  }

  #fill(): Promise<void> {
    this.#filling ??= makeFifos(gatesPerBatch)
      .then((made) => {
        this.#ready.push(...made);
        if (this.#closed) this.close();
      })
      .finally(() => (this.#filling = undefined));
    return this.#filling;
  }
}

function gateOn(descriptor: number): Gate {
  let isOpen = true;
  return {
    descriptor,
    open: () => void (isOpen && writeSync(descriptor, openingBytes)),
    close: () => {
      if (isOpen) closeSync(descriptor);
      isOpen = false;
    },
  };
}

async function makeFifos(count: number): Promise<readonly number[]> {
  const program = mkfifoPlaces.find((path) => existsSync(path));
  if (program === undefined) throw new Error("mkfifo was not found in /usr/bin or /bin; install coreutils");
  // A sandbox has a /dev/shm of its own: no command can reach the names while they exist.
  const directory = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "fencepost-gates-"));
  try {
    const names = Array.from({ length: count }, (_, index) => join(directory, String(index)));
    await promisify(execFile)(program, ["-m", "600", ...names], { env: {}, cwd: "/" });
    return names.map((name) => openSync(name, constants.O_RDWR | constants.O_NOFOLLOW));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
