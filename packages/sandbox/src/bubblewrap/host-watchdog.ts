import { spawn, type ChildProcess } from "node:child_process";
import type { Writable } from "node:stream";

const shell = "/bin/sh";

/** The last whole line says what is to be ended; standard input ends with the process that writes there. */
const script = `trap '' HUP INT QUIT TERM
left=
while read -r line; do left=$line; done
[ -z "$left" ] || kill -s KILL -- $left`;

/** What has to end with this process. Negative: a process group. */
export interface Lifeline {
  add(pid: number): void;
  /** Without effect on a second call. */
  end(): void;
}

/**
 * Ends sandboxes whose host was killed. The kernel does so by itself only once process 1 of a sandbox has asked for it,
 * and the runner asks when the command starts: until then, at its gate, it would wait for ever. One shell a process,
 * outside the sandboxes, that reads one line a change and otherwise sleeps; it ends with this process.
 */
export class HostWatchdog {
  #child: ChildProcess | undefined;
  #input: Writable | undefined;
  readonly #lifelines = new Set<Set<number>>();
  #closed = false;

  /** Call before anything is started that must not outlive this process. */
  start(): void {
    if (this.#child !== undefined) return;
    const child = spawn(shell, ["-c", script], { cwd: "/", env: {}, detached: true, stdio: ["pipe", "ignore", "ignore"] });
    const { stdin: input } = child;
    const forget = (): void => {
      if (this.#child === child) this.#child = this.#input = undefined;
    };
    child.once("error", forget).once("exit", forget);
    input.on("error", forget);
    child.unref();
    // A pipe to a child is a socket, which would keep this process running.
    if ("unref" in input && typeof input.unref === "function") input.unref();
    this.#child = child;
    this.#input = input;
    this.#tell();
  }

  lifeline(): Lifeline {
    const pids = new Set<number>();
    return {
      add: (pid) => {
        this.#lifelines.add(pids.add(pid));
        this.#tell();
      },
      end: () => {
        if (this.#lifelines.delete(pids)) this.#tell();
        if (this.#closed && this.#lifelines.size === 0) this.#release();
      },
    };
  }

  /** Watches until the last of what it was told of has ended. */
  close(): void {
    this.#closed = true;
    if (this.#lifelines.size === 0) this.#release();
  }

  #release(): void {
    this.#input?.end();
    this.#child = this.#input = undefined;
  }

  #tell(): void {
    this.#input?.write(`${[...this.#lifelines].flatMap((pids) => [...pids]).join(" ")}\n`);
  }
}
