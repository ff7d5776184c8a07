import type { SandboxLaunch, SandboxSettlement } from "@fencepost/sandbox";
import type { PipeReader } from "./pipe-reader.ts";
import type { PipeWriter } from "./pipe-writer.ts";
import type { ProcessExit, RunningProcess } from "./process-backend.ts";
import type { Runner } from "./runner.ts";
import type { Terminal } from "./terminal.ts";

/** What belongs to one command that runs. */
export interface CommandParts {
  readonly launch: SandboxLaunch;
  readonly runner: Runner;
  readonly reader: PipeReader;
  readonly input: PipeWriter | undefined;
  readonly terminal: Terminal | undefined;
  /** Removes what was made for this command alone. */
  readonly release: () => void;
}

/** A runner that has not exited this long after SIGKILL is reported, not waited for. */
const maxKillWaitMs = 5000;

/** Watches one command from its start until nothing of it is left. */
export function superviseCommand(parts: CommandParts): RunningProcess {
  const { launch, input } = parts;
  const waiting = new AbortController();
  let unconfirmed = false;
  let killTimer: NodeJS.Timeout | undefined;

  async function ended(): Promise<ProcessExit> {
    const runnerExit = await parts.runner.exit;
    const settlement = await launch.settle(runnerExit).catch(() => undefined);
    await parts.reader.drain();
    input?.close();
    parts.release();
    clearTimeout(killTimer);
    return settlement ? exitOf(settlement, unconfirmed) : unknownExit;
  }

  return {
    exit: Promise.race([ended(), aborted(waiting.signal).then(() => unknownExit)]),
    kill() {
      if (launch.signal("SIGKILL") === "failed") unconfirmed = true;
      killTimer ??= setTimeout(() => waiting.abort(), maxKillWaitMs);
    },
    signal: (signal) => launch.signal(signal),
    write: (bytes) => input?.write(bytes) ?? Promise.resolve(false),
    closeInput: () => input?.close(),
    resize: (size) => parts.terminal?.resize(size) ?? false,
  };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}

function exitOf(settlement: SandboxSettlement, unconfirmed: boolean): ProcessExit {
  return {
    gone: settlement.gone && !unconfirmed,
    ran: settlement.ran,
    exitCode: settlement.exitCode,
    signal: settlement.signal,
    violated: settlement.violated,
    notes: settlement.notes,
    classify: (output) => settlement.classify(output),
  };
}

const unknownExit: ProcessExit = {
  gone: false,
  ran: true,
  exitCode: null,
  signal: null,
  violated: false,
  notes: [],
  classify: () => "normal",
};
