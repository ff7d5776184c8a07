import type { SandboxPolicy } from "../policy/policy.ts";

/**
 * A kernel sandbox. It plans how a command is started and cleans up behind it; the caller starts the process
 * (this package starts none but its own self-check).
 */
export interface SandboxBackend {
  readonly id: "bubblewrap" | "seatbelt" | (string & {});
  /** What the self-check found. Runs once a process; later calls return the same answer. */
  probe(): Promise<SandboxAvailability>;
  /** Plans one command under one policy. Nothing has been started when this returns. */
  prepare(command: SandboxCommand): Promise<SandboxLaunch | SandboxRefusal>;
  /** Stops watching, sweeps what is left to sweep. The backend cannot be used afterwards. */
  close(): Promise<void>;
}

export type SandboxAvailability =
  | { readonly available: true }
  /** `reason`: for the model and the user, one clause. `remedy`: one line that a person can act on. */
  | { readonly available: false; readonly reason: string; readonly remedy: string };

export interface SandboxCommand {
  readonly policy: SandboxPolicy;
  /** What runs inside, absolute program first: usually `/bin/bash -c <command>`. */
  readonly argv: readonly string[];
  /** Canonical working directory inside. */
  readonly workingDirectory: string;
  /** The whole environment of the child: nothing of the host's is added but what the sandbox itself needs. */
  readonly env: Readonly<Record<string, string>>;
  readonly sessionId: string;
  readonly callId: string;
  /** The command outlives its call: protected names are swept while it lives, not only at its end. */
  readonly background?: boolean;
  /** The command has a terminal, so it keeps its terminal session. */
  readonly terminal?: boolean;
}

/** The backend will not run this command: bash answers with the text and runs nothing. */
export interface SandboxRefusal {
  readonly refused: true;
  readonly kind: "unavailable" | "limit" | "failed";
  readonly message: string;
}

/** How to start one command, and what to call while it lives and when it has ended. */
export interface SandboxLaunch {
  readonly refused: false;
  /** Absolute path of the runner. */
  readonly file: string;
  readonly args: readonly string[];
  /** The runner's environment, already scrubbed. */
  readonly env: Readonly<Record<string, string>>;
  /** Where the runner itself starts. */
  readonly cwd: string;
  /**
   * What the runner's descriptors from 3 up must be, in order: `"status"` is a pipe whose bytes go to `onStatus`, a
   * number is a descriptor of this process to pass on. Nothing else may be inherited.
   */
  readonly descriptors: readonly ("status" | number)[];
  onStatus(chunk: Uint8Array): void;
  /** The runner was started (it leads its own process group), or could not be: then `pid` is undefined. */
  onStarted(pid: number | undefined): void;
  /**
   * SIGKILL to everything the command started, or another signal to the command's process group. "gone" where nothing was left
   * to signal.
   */
  signal(signal: NodeJS.Signals): "sent" | "gone" | "failed";
  /**
   * After the runner has exited (or never started): waits until nothing of the command lives, then sweeps and
   * restores. Must be called exactly once for each launch. Drain the output after it.
   */
  settle(exit: RunnerExit): Promise<SandboxSettlement>;
}

export interface RunnerExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface SandboxSettlement {
  /** False: something of the command may still be alive after the time to wait for it, so the outcome is unknown. */
  readonly gone: boolean;
  /** False: the runner failed before the command ran; `exitCode` means nothing. */
  readonly ran: boolean;
  /** The command's own exit code; null where a signal ended it or it never ran. */
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Something was quarantined or restored: the result is marked denied whatever its exit code. */
  readonly violated: boolean;
  /** Lines that end the result, after the denial's own: `[sandbox: N new protected paths were moved to …]`. */
  readonly notes: readonly string[];
  /** `normal`, `denied` or `runner_failed`, judged from the exit and the output as the model sees it. */
  classify(output: string): Classification;
}

export type Classification = "normal" | "denied" | "runner_failed";
