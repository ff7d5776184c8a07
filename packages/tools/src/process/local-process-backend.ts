import { closeSync, existsSync } from "node:fs";
import type { SandboxBackend, SandboxLaunch } from "@fencepost/sandbox";
import { createKernelPipes, type KernelPipe, type KernelPipes } from "./kernel-pipe.ts";
import { fitArguments, type FittedArguments } from "./oversized-script.ts";
import { readPipe } from "./pipe-reader.ts";
import { writePipe } from "./pipe-writer.ts";
import type { ProcessBackend, ProcessCommand, ProcessListeners, ProcessStart } from "./process-backend.ts";
import { superviseCommand } from "./running-command.ts";
import { withLimits } from "./resource-limits.ts";
import { startRunner, type Runner } from "./runner.ts";
import { goneDirectoryText, missingProgramText, startFailure } from "./start-failure.ts";

/** Commands as processes of this machine, each inside the given kernel sandbox: the only place that starts one. */
export function createLocalProcessBackend(sandbox: SandboxBackend): ProcessBackend {
  const pipes = createKernelPipes();
  return {
    async start(command, listeners) {
      try {
        return await start(sandbox, pipes, command, listeners);
      } catch (error) {
        return { started: false, kind: "failed", message: startFailure(error, command.workingDirectory, existsSync(command.workingDirectory)) };
      }
    },
  };
}

async function start(sandbox: SandboxBackend, pipes: KernelPipes, command: ProcessCommand, listeners: ProcessListeners): Promise<ProcessStart> {
  const program = command.argv[0] ?? "";
  if (!existsSync(program)) return { started: false, kind: "failed", message: missingProgramText(program) };
  // Said before the runner starts: inside, it would look like a failure of the sandbox.
  if (!existsSync(command.workingDirectory)) return { started: false, kind: "failed", message: goneDirectoryText(command.workingDirectory) };
  const held = await takePipes(pipes, command.input === "pipe");
  let fitted: FittedArguments | undefined;
  try {
    fitted = fitArguments(command.argv, command.policy.environment.stateHome);
    const argv = command.limits ? withLimits(fitted.argv, command.limits) : fitted.argv;
    const launch = await sandbox.prepare({
      policy: command.policy,
      argv,
      workingDirectory: command.workingDirectory,
      env: command.env,
      sessionId: command.sessionId,
      callId: command.callId,
      ...(command.background && { background: true }),
    });
    if (launch.refused) {
      fitted.release();
      held.closeAll();
      return { started: false, kind: launch.kind, message: launch.message };
    }
    const runner = await launchRunner(launch, held);
    const reader = readPipe(held.takeReadEnd(), (chunk) => listeners.onOutput(chunk));
    const input = held.input && writePipe(held.takeInputWriteEnd());
    const process = superviseCommand({ launch, runner, reader, input, release: fitted.release });
    return { started: true, process };
  } catch (error) {
    fitted?.release();
    held.closeAll();
    throw error;
  }
}

/** Starts the runner and gives up our copies of its ends; settles the launch if it cannot start. */
async function launchRunner(launch: SandboxLaunch, held: HeldPipes): Promise<Runner> {
  try {
    const runner = await startRunner(launch, { input: held.input?.readEnd ?? "ignore", output: held.output.writeEnd });
    return runner;
  } catch (error) {
    launch.onStarted(undefined);
    await launch.settle({ code: null, signal: null });
    throw error;
  } finally {
    held.closeChildEnds();
  }
}

interface HeldPipes {
  readonly output: KernelPipe;
  readonly input: KernelPipe | undefined;
  closeChildEnds(): void;
  /** From here on the taker closes it. */
  takeReadEnd(): number;
  takeInputWriteEnd(): number;
  closeAll(): void;
}

async function takePipes(pipes: KernelPipes, withInput: boolean): Promise<HeldPipes> {
  const output = await pipes.take();
  const input = withInput ? await pipes.take() : undefined;
  const ours = new Set([output.readEnd, output.writeEnd, ...(input ? [input.readEnd, input.writeEnd] : [])]);

  function close(descriptor: number | undefined): void {
    if (descriptor !== undefined && ours.delete(descriptor)) closeSync(descriptor);
  }
  function take(descriptor: number): number {
    ours.delete(descriptor);
    return descriptor;
  }
  return {
    output,
    input,
    closeChildEnds() {
      close(output.writeEnd);
      close(input?.readEnd);
    },
    takeReadEnd: () => take(output.readEnd),
    takeInputWriteEnd: () => take(input?.writeEnd ?? -1),
    closeAll() {
      for (const descriptor of Array.from(ours)) close(descriptor);
    },
  };
}
