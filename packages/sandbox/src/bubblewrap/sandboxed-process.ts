import { readFileSync } from "node:fs";
import { setImmediate as nextTurn, setTimeout as delay } from "node:timers/promises";
import type { RunnerExit } from "../backend/backend.ts";
import { settleTimeoutMs } from "../limits.ts";
import type { ProcessIdentity } from "../backend/process-identity.ts";
import { commandUnder, groupOf, identify, isAlive, mayAct } from "./sandbox-processes.ts";
import { RunnerStatus } from "./runner-status.ts";

/** The last words of a runner that has exited come at once; they are not waited for longer than this. */
const statusGraceMs = 250;

const firstPollMs = 1;

/** What is about to be is looked for at each turn of the event loop for so long: less than a timer waits. */
const everyTurnMs = 1;

const slowestPollMs = 20;

/** One runner and the namespace it made, from start to nothing left. */
export class SandboxedProcess {
  readonly status = new RunnerStatus();
  #runner: ProcessIdentity | undefined;
  #everStarted = false;
  #killed = false;
  /** Killed before the runner had reported which of its children leads the namespace. */
  #unreported: readonly ProcessIdentity[] = [];

  started(pid: number | undefined): void {
    this.#everStarted = pid !== undefined;
    this.#runner = pid === undefined ? undefined : identify(pid);
  }

  /** SIGKILL ends everything in the namespace; other signals go to the command's process group. */
  signal(signal: NodeJS.Signals): "sent" | "gone" | "failed" {
    if (signal === "SIGKILL") return this.#kill();
    const { init } = this.status;
    if (init === undefined || !isAlive(init)) return this.#runner !== undefined && isAlive(this.#runner) ? "failed" : "gone";
    const command = commandUnder(init.pid);
    if (command === undefined) return "failed";
    // Process 1 of the namespace shares the group and ignores what it does not handle; the runner outside must not be in it.
    const group = groupOf(command);
    return send(group === command || group === init.pid ? -group : command, signal);
  }

  /**
   * Ends what is left of the namespace behind a runner that has exited, and waits until no process of it is. False:
   * after the time to wait there still was one. The kernel should have ended it, but does so only as long as process 1
   * asks for it, which shares its user with the command.
   */
  async gone(exit: RunnerExit): Promise<boolean> {
    if (this.#everStarted && this.status.exitCode === undefined && exit.signal === null && !this.#killed) await this.#lastWords();
    const { init } = this.status;
    if (init !== undefined && isAlive(init)) send(init.pid, "SIGKILL");
    const left = [init, this.#runner, ...this.#unreported].filter((one) => one !== undefined);
    return waitUntil(() => !left.some(isAlive), settleTimeoutMs);
  }

  /** The command was started; without an exit code that is only certain if it was killed from outside. */
  ran(exit: RunnerExit): boolean {
    return this.status.exitCode !== undefined || (this.status.started && (this.#killed || exit.signal !== null));
  }

  get killed(): boolean {
    return this.#killed;
  }

  async #lastWords(): Promise<void> {
    await waitUntil(() => this.status.exitCode !== undefined, statusGraceMs);
  }

  #kill(): "sent" | "gone" | "failed" {
    this.#killed = true;
    const { init, started } = this.status;
    if (init !== undefined && isAlive(init)) return send(init.pid, "SIGKILL");
    if (started || this.#runner === undefined || !isAlive(this.#runner)) return "gone";
    // Before it has reported its child, the runner may have made one that does not die with it yet, and would wait for
    // it for ever. A runner that is stopped makes no more.
    send(this.#runner.pid, "SIGSTOP");
    waitForStop(this.#runner.pid);
    this.#unreported = childrenOf(this.#runner.pid).map(identify).filter((child) => child !== undefined);
    for (const child of this.#unreported) send(child.pid, "SIGKILL");
    return send(this.#runner.pid, "SIGKILL");
  }
}

function send(pid: number, signal: NodeJS.Signals): "sent" | "gone" | "failed" {
  try {
    process.kill(pid, signal);
    return "sent";
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ESRCH" ? "gone" : "failed";
  }
}

/** A signal to another process is on its way for a moment. */
const maxStopPolls = 2000;

function waitForStop(pid: number): void {
  for (let turn = 0; turn < maxStopPolls && mayAct(pid); turn += 1);
}

function childrenOf(pid: number): readonly number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, "latin1").trim().split(" ").map(Number).filter((child) => child > 0);
  } catch {
    return [];
  }
}

async function waitUntil(done: () => boolean, limitMs: number): Promise<boolean> {
  const startedAt = performance.now();
  const until = startedAt + limitMs;
  while (performance.now() < startedAt + everyTurnMs) {
    if (done()) return true;
    await nextTurn();
  }
  for (let pause = firstPollMs; !done(); pause = Math.min(pause * 2, slowestPollMs)) {
    if (performance.now() > until) return false;
    await delay(pause);
  }
  return true;
}
