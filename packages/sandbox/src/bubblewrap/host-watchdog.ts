import { spawn, type ChildProcess } from "node:child_process";
import type { Writable } from "node:stream";
import { gateDescriptor } from "./arguments.ts";

const shell = "/bin/sh";

/** Before the name of a gate: the other words are numbers. */
const gateMark = "gate:";

/** A runner that was only just started has its gate in place by the last look. */
const looks = 5;

const secondsBetweenLooks = 0.1;

/**
 * The last whole line says what is to be ended: processes, groups, and names of gates, for runners that this process had
 * no time to name. Standard input ends with the process that writes there.
 */
const script = `trap '' HUP INT QUIT TERM
left=
while read -r line; do left=$line; done
gates=
for one in $left; do
  case $one in
    ${gateMark}*) gates="$gates \${one#${gateMark}}" ;;
    *) kill -s KILL -- "$one" ;;
  esac
done
[ -n "$gates" ] || exit 0
look=0
while [ $look -lt ${looks} ]; do
  ls -l /proc/[0-9]*/fd/${gateDescriptor} | while read -r line; do
    for gate in $gates; do
      case $line in
        */proc/*"$gate "*) pid=\${line#*/proc/}; kill -s KILL "\${pid%%/*}" ;;
      esac
    done
  done
  sleep ${secondsBetweenLooks}
  look=$((look + 1))
done`;

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
  readonly #lifelines = new Set<Set<number | string>>();
  #closed = false;

  /** Call before anything is started that must not outlive this process. */
  start(): void {
    if (this.#child !== undefined) return;
    const child = spawn(shell, ["-c", script], { cwd: "/", env: { PATH: "/usr/bin:/bin" }, detached: true, stdio: ["pipe", "ignore", "ignore"] });
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

  /** @param gate what the runner will wait at: it may wait there before this process knows its number */
  lifeline(gate: string): Lifeline {
    const left = new Set<number | string>([gateMark + gate]);
    this.#lifelines.add(left);
    this.#tell();
    return {
      add: (pid) => {
        if (left.has(pid)) return;
        left.add(pid);
        this.#tell();
      },
      end: () => {
        if (this.#lifelines.delete(left)) this.#tell();
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
    this.#input?.write(`${[...this.#lifelines].flatMap((left) => [...left]).join(" ")}\n`);
  }
}
