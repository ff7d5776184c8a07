import type { RunnerExit, SandboxBackend, SandboxCommand, SandboxLaunch, SandboxRefusal, SandboxSettlement } from "@fencepost/sandbox";

/** What a test changes about the double. */
export interface DoubleOptions {
  readonly refuse?: SandboxRefusal;
  readonly signalAnswer?: "sent" | "gone" | "failed";
  readonly settlement?: Partial<SandboxSettlement>;
  /** Another settlement for each command. */
  readonly settlementOf?: () => Partial<SandboxSettlement>;
  /** The runner in place of the command itself. */
  readonly file?: string;
  readonly descriptors?: SandboxLaunch["descriptors"];
}

export interface SandboxDouble extends SandboxBackend {
  readonly commands: readonly SandboxCommand[];
  readonly events: readonly string[];
  readonly status: string;
}

/** Runs commands as they are: a scripted stand-in for a kernel sandbox, so that each of its answers can be tried. */
export function createSandboxDouble(options: DoubleOptions = {}): SandboxDouble {
  const commands: SandboxCommand[] = [];
  const events: string[] = [];
  let status = "";
  return {
    id: "double",
    commands,
    events,
    get status() {
      return status;
    },
    probe: () => Promise.resolve({ available: true }),
    close: () => Promise.resolve(),
    prepare(command) {
      commands.push(command);
      if (options.refuse) return Promise.resolve(options.refuse);
      return Promise.resolve(launchOf(command, options, events, (chunk) => (status += Buffer.from(chunk).toString())));
    },
  };
}

function launchOf(command: SandboxCommand, options: DoubleOptions, events: string[], onStatus: (chunk: Uint8Array) => void): SandboxLaunch {
  let group = 0;
  const [program = "", ...args] = command.argv;
  return {
    refused: false,
    file: options.file ?? program,
    args,
    env: command.env,
    cwd: command.workingDirectory,
    descriptors: options.descriptors ?? [],
    onStatus,
    onStarted(pid) {
      events.push(pid === undefined ? "not started" : "started");
      group = pid ?? 0;
    },
    signal(signal) {
      events.push(signal);
      if (options.signalAnswer === "failed") return "failed";
      return signalGroup(group, signal);
    },
    settle(exit) {
      events.push("settled");
      // The sandbox kills what is left in the namespace; a process group is as near as a double gets.
      signalGroup(group, "SIGKILL");
      return Promise.resolve(settlementOf(exit, options));
    },
  };
}

function settlementOf(exit: RunnerExit, { settlement, settlementOf: next }: DoubleOptions): SandboxSettlement {
  return { gone: true, ran: true, exitCode: exit.code, signal: exit.signal, violated: false, notes: [], classify: () => "normal", ...settlement, ...next?.() };
}

function signalGroup(group: number, signal: NodeJS.Signals): "sent" | "gone" | "failed" {
  if (group === 0) return "gone";
  try {
    process.kill(-group, signal);
    return "sent";
  } catch {
    return "gone";
  }
}
