import type { CapturedOutput } from "../process/output/output-capture.ts";
import type { CommandEnd } from "../process/output/status-line.ts";
import type { ProcessExit } from "../process/process-backend.ts";
import type { TaskOutput } from "./task-output.ts";

export const taskStates = ["queued", "running", "cancelling", "completed", "failed", "cancelled", "interrupted"] as const;

/**
 * `completed`: exit 0. `failed`: another exit, a signal, or an end that could not be confirmed. `interrupted`: the host
 * ended while it ran; it is never resumed.
 */
export type TaskState = (typeof taskStates)[number];

export function isLive(state: TaskState): boolean {
  return state === "queued" || state === "running" || state === "cancelling";
}

/** What stays of a task when its process and its output are gone: enough to tell what became of it. */
export interface TaskRecord {
  readonly taskId: string;
  readonly command: string;
  readonly workingDirectory: string;
  readonly login: boolean;
  readonly tty: boolean;
  readonly state: TaskState;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly endedAt: number | null;
  readonly end: CommandEnd | null;
}

export interface Task extends TaskRecord {
  readonly output: TaskOutput;
  /** Bound to this task's terminal; another life of the host has another. */
  readonly token: string;
  readonly acceptsInput: boolean;
  /** What the kernel made of it, once it ended in this life of the host. */
  readonly outcome: TaskOutcome | undefined;
  readonly ended: Promise<void>;
  write(bytes: Uint8Array): Promise<boolean>;
  interrupt(): void;
  resize(cols: number, rows: number): boolean;
  /** SIGTERM, and SIGKILL if it is still there after the grace; a second time SIGKILL at once. */
  cancel(): void;
}

export interface TaskOutcome {
  readonly exit: ProcessExit;
  readonly captured: CapturedOutput;
  readonly durationMs: number;
}
