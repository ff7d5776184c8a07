import { randomBytes } from "node:crypto";
import type { SandboxPolicy } from "@fencepost/sandbox";
import type { CommandEnd } from "../process/output/status-line.ts";
import { createOutputCapture } from "../process/output/output-capture.ts";
import type { Secrets } from "../process/output/redactor.ts";
import type { ProcessBackend, ProcessExit, RunningProcess, TerminalSize } from "../process/process-backend.ts";
import type { ResourceLimits } from "../process/resource-limits.ts";
import type { SpillDirectory } from "../spill/spill-directory.ts";
import { createTaskOutput } from "./task-output.ts";
import type { TaskStore } from "./task-store.ts";
import type { Task, TaskOutcome, TaskState } from "./task.ts";

/** How long a task has to end by itself after SIGTERM, in milliseconds. */
export const cancelGraceMs = 1000;

/** What tasks need of their session. */
export interface TaskServices {
  readonly sessionId: string;
  readonly processes: ProcessBackend;
  readonly spill: SpillDirectory | undefined;
  readonly secrets: Secrets;
  readonly limits: ResourceLimits;
  readonly store: TaskStore;
  /** Milliseconds since the epoch. */
  now(): number;
}

export interface TaskLaunch {
  readonly taskId: string;
  readonly policy: SandboxPolicy;
  readonly command: string;
  readonly workingDirectory: string;
  readonly env: Readonly<Record<string, string>>;
  readonly login: boolean;
  readonly acceptsInput: boolean;
  readonly terminal: TerminalSize | undefined;
  /** It stays queued until this settles: what it takes the place of has ended. */
  readonly room: Promise<void>;
}

export interface StartFailure {
  readonly kind: "unavailable" | "limit" | "failed";
  readonly message: string;
}

export interface LaunchedTask extends Task {
  readonly usedAt: number;
  readonly started: Promise<StartFailure | undefined>;
  touch(): void;
  /** Kills it without a notice. */
  discard(): void;
}

/** One command in the background, from its start to the moment nothing of it is left. */
export function launchTask(services: TaskServices, launch: TaskLaunch, onEnd: (task: LaunchedTask) => void): LaunchedTask {
  const { spill } = services;
  const output = createTaskOutput();
  const capture = createOutputCapture({
    secrets: services.secrets,
    onText: (text) => output.push(text),
    ...(spill && { openSpill: () => spill.open(launch.taskId) }),
  });
  const startedAt = services.now();
  const begin = performance.now();
  let process: RunningProcess | undefined;
  let state: TaskState = "queued";
  let usedAt = startedAt;
  let endedAt: number | null = null;
  let end: CommandEnd | null = null;
  let outcome: TaskOutcome | undefined;
  let graceTimer: NodeJS.Timeout | undefined;
  let discarded = false;

  async function startProcess(): Promise<StartFailure | undefined> {
    await launch.room;
    if (isLeaving()) return notStarted("cancelled", { kind: "failed", message: "It was cancelled before it started." });
    const start = await services.processes.start(
      {
        policy: launch.policy,
        argv: ["/bin/bash", launch.login ? "-lc" : "-c", launch.command],
        workingDirectory: launch.workingDirectory,
        env: launch.env,
        limits: services.limits,
        sessionId: services.sessionId,
        callId: launch.taskId,
        background: true,
        ...(launch.acceptsInput && { input: "pipe" }),
        ...(launch.terminal && { terminal: launch.terminal }),
      },
      { onOutput: (chunk) => capture.push(chunk) },
    );
    if (!start.started) return notStarted("failed", { kind: start.kind, message: start.message });
    process = start.process;
    if (state === "queued") state = "running";
    if (isLeaving()) process.kill();
    return undefined;
  }

  function isLeaving(): boolean {
    return discarded || state === "cancelling";
  }

  function notStarted(as: TaskState, failure: StartFailure): StartFailure {
    state = as;
    endedAt = services.now();
    output.end();
    return failure;
  }

  async function untilEnd(): Promise<void> {
    if ((await started) !== undefined || process === undefined) return;
    const exit = await process.exit;
    clearTimeout(graceTimer);
    outcome = { exit, captured: await capture.finish(), durationMs: performance.now() - begin };
    endedAt = services.now();
    const wasCancelled = state === "cancelling";
    end = wasCancelled && exit.gone ? { kind: "cancelled" } : endOf(exit);
    state = wasCancelled && exit.gone ? "cancelled" : finalState(exit);
    output.end();
    onEnd(task);
  }

  const started = startProcess();
  const task: LaunchedTask = {
    taskId: launch.taskId,
    command: launch.command,
    workingDirectory: launch.workingDirectory,
    login: launch.login,
    tty: launch.terminal !== undefined,
    token: randomBytes(8).toString("hex"),
    acceptsInput: launch.acceptsInput,
    startedAt,
    output,
    started,
    ended: Promise.resolve(),
    get state() {
      return state;
    },
    get usedAt() {
      return usedAt;
    },
    get endedAt() {
      return endedAt;
    },
    get end() {
      return end;
    },
    get outcome() {
      return outcome;
    },
    touch() {
      usedAt = services.now();
    },
    write: (bytes) => process?.write(bytes) ?? Promise.resolve(false),
    interrupt: () => process?.signal("SIGINT"),
    resize: (cols, rows) => process?.resize?.({ cols, rows }) ?? false,
    cancel() {
      if (endedAt !== null) return;
      const again = state === "cancelling";
      state = "cancelling";
      if (again) {
        process?.kill();
        return;
      }
      process?.signal("SIGTERM");
      graceTimer = setTimeout(() => process?.kill(), cancelGraceMs);
    },
    discard() {
      if (endedAt !== null) return;
      discarded = true;
      state = "cancelling";
      process?.kill();
    },
  };
  return Object.assign(task, { ended: untilEnd() });
}

function endOf(exit: ProcessExit): CommandEnd | null {
  if (exit.signal !== null) return { kind: "killed", signal: exit.signal };
  return exit.exitCode === null ? null : { kind: "exited", exitCode: exit.exitCode };
}

function finalState(exit: ProcessExit): TaskState {
  return exit.gone && exit.ran && exit.exitCode === 0 ? "completed" : "failed";
}
