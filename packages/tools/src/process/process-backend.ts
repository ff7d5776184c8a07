import type { Classification, SandboxPolicy } from "@fencepost/sandbox";
import type { ResourceLimits } from "./resource-limits.ts";

/**
 * Starts commands under a policy. The local implementation puts the kernel sandbox of this machine around each; a host
 * may put a container or a remote machine behind the same interface. There is no way to start one without a policy.
 */
export interface ProcessBackend {
  start(command: ProcessCommand, listeners: ProcessListeners): Promise<ProcessStart>;
  /** Whether commands can get a terminal. Absent: they cannot. */
  terminals?(): Promise<TerminalAvailability>;
}

export type TerminalAvailability = { readonly available: true } | { readonly available: false; readonly reason: string };

export interface ProcessCommand {
  readonly policy: SandboxPolicy;
  readonly argv: readonly string[];
  readonly workingDirectory: string;
  readonly env: Readonly<Record<string, string>>;
  readonly sessionId: string;
  readonly callId: string;
  readonly limits?: ResourceLimits;
  /** `pipe`: `RunningProcess.write` reaches it. Default `null`: `/dev/null`. */
  readonly input?: "null" | "pipe";
  readonly background?: boolean;
  /** The command gets a terminal of this size; then its input is the terminal's. */
  readonly terminal?: TerminalSize;
}

/** In characters. */
export interface TerminalSize {
  readonly cols: number;
  readonly rows: number;
}

export interface ProcessListeners {
  /** Standard output and standard error, one ordered stream. The chunk is only valid during the call. */
  onOutput(chunk: Uint8Array): void;
}

export type ProcessStart =
  | { readonly started: true; readonly process: RunningProcess }
  /** `message`: the whole text for the model. `unavailable`: no sandbox here. `limit`: the sandbox refused. `failed`: the runner could not be started. */
  | { readonly started: false; readonly kind: "unavailable" | "limit" | "failed"; readonly message: string };

export interface RunningProcess {
  /** Settles once nothing of the command lives (or cannot be shown to be gone) and all output was delivered. */
  readonly exit: Promise<ProcessExit>;
  /** SIGKILL to the whole group and namespace. The one path for timeout and cancel. */
  kill(): void;
  /** Another signal to the command's group. */
  signal(signal: NodeJS.Signals): void;
  write(bytes: Uint8Array): Promise<boolean>;
  closeInput(): void;
  /** Absent or false: there is no terminal. */
  resize?(size: TerminalSize): boolean;
}

export interface ProcessExit {
  /** False: the kill could not be confirmed, the outcome is unknown. */
  readonly gone: boolean;
  /** False: the sandbox failed before the command ran. */
  readonly ran: boolean;
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly violated: boolean;
  readonly notes: readonly string[];
  classify(output: string): Classification;
}
