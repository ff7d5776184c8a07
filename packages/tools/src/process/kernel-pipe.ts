import { execFile } from "node:child_process";
import { accessSync, closeSync, constants, mkdtempSync, openSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

/** Both ends of one kernel pipe, as descriptors of this process. Whoever takes it closes them. */
export interface KernelPipe {
  readonly readEnd: number;
  readonly writeEnd: number;
}

/** Hands out kernel pipes. */
export interface KernelPipes {
  take(): Promise<KernelPipe>;
}

/** Pipes made at once: starting `mkfifo` costs milliseconds, another name costs microseconds. */
const pipesPerBatch = 8;

/** With fewer than this left, the next ones are made while a command runs: it does not wait for them. */
const refillBelow = 3;

/**
 * Real pipes, which Node does not offer: its "pipe" is a socket pair, and a socket cannot be opened again by name, so
 * `/dev/stderr` would fail inside. A FIFO that was opened at both ends and unlinked is the same thing as a pipe. Each
 * is used once, so that no command can keep a handle on the output of another.
 */
export function createKernelPipes(): KernelPipes {
  const ready: KernelPipe[] = [];
  let filling: Promise<void> | undefined;

  function fill(): Promise<void> {
    filling ??= makePipes(pipesPerBatch)
      .then((made) => void ready.push(...made))
      .finally(() => (filling = undefined));
    return filling;
  }

  return {
    async take() {
      let pipe = ready.pop();
      for (; pipe === undefined; pipe = ready.pop()) await fill();
      // Should that fail, whoever finds none left tries again and hears of it.
      if (ready.length < refillBelow) fill().catch(() => undefined);
      return pipe;
    },
  };
}

/** `mkfifo`, by absolute path: never looked up. */
const mkfifoPlaces = ["/usr/bin/mkfifo", "/bin/mkfifo"] as const;

async function makePipes(count: number): Promise<readonly KernelPipe[]> {
  const program = mkfifoPlaces.find(isExecutable);
  if (program === undefined) throw new Error("mkfifo was not found in /usr/bin or /bin; install coreutils");
  const directory = mkdtempSync(join(pipeDirectory(), "fencepost-pipes-"));
  try {
    const names = Array.from({ length: count }, (_, index) => join(directory, String(index)));
    await promisify(execFile)(program, ["-m", "600", ...names], { env: {}, cwd: "/" });
    return names.map(openBothEnds);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Where no sandboxed command can reach the names while they exist: a sandbox has a `/dev/shm` of its own. */
function pipeDirectory(): string {
  const shared = "/dev/shm";
  return process.platform === "linux" && isWritableDirectory(shared) ? shared : tmpdir();
}

/** Opening one end of a FIFO waits for the other, unless a third handle already holds both. */
function openBothEnds(path: string): KernelPipe {
  const both = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  try {
    const readEnd = openSync(path, constants.O_RDONLY);
    return { readEnd, writeEnd: openSync(path, constants.O_WRONLY) };
  } finally {
    closeSync(both);
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function isWritableDirectory(path: string): boolean {
  try {
    accessSync(path, constants.W_OK | constants.X_OK);
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
