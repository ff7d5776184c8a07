import { existsSync } from "node:fs";
import type { SandboxBackend, SandboxLaunch } from "@fencepost/sandbox";
import { pipeStreams, terminalStreams, type CommandStreams } from "./command-streams.ts";
import { createKernelPipes, type KernelPipes } from "./kernel-pipe.ts";
import { fitArguments, type FittedArguments } from "./oversized-script.ts";
import type { ProcessBackend, ProcessCommand, ProcessListeners, ProcessStart } from "./process-backend.ts";
import { superviseCommand } from "./running-command.ts";
import { withLimits } from "./resource-limits.ts";
import { startRunner, type Runner } from "./runner.ts";
import { goneDirectoryText, missingProgramText, startFailure } from "./start-failure.ts";
import { takeTerminal, terminalAvailability } from "./terminal.ts";

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
    terminals: () => Promise.resolve(terminalAvailability()),
  };
}

async function start(sandbox: SandboxBackend, pipes: KernelPipes, command: ProcessCommand, listeners: ProcessListeners): Promise<ProcessStart> {
  const program = command.argv[0] ?? "";
  if (!existsSync(program)) return { started: false, kind: "failed", message: missingProgramText(program) };
  // Said before the runner starts: inside, it would look like a failure of the sandbox.
  if (!existsSync(command.workingDirectory)) return { started: false, kind: "failed", message: goneDirectoryText(command.workingDirectory) };
  const streams = command.terminal ? terminalStreams(command.terminal) : await pipeStreams(() => pipes.take(command.policy.environment.stateHome), command.input === "pipe");
  let fitted: FittedArguments | undefined;
  try {
    fitted = fitArguments(command.argv, command.policy.environment.stateHome);
    const launch = await sandbox.prepare({
      policy: command.policy,
      argv: wrapped(fitted.argv, command),
      workingDirectory: command.workingDirectory,
      env: command.env,
      sessionId: command.sessionId,
      callId: command.callId,
      ...(command.background && { background: true }),
      ...(command.terminal && { terminal: true }),
    });
    if (launch.refused) {
      fitted.release();
      streams.closeAll();
      return { started: false, kind: launch.kind, message: launch.message };
    }
    const runner = await launchRunner(launch, streams);
    const process = superviseCommand({ launch, runner, ...streams.connect((chunk) => listeners.onOutput(chunk)), release: fitted.release });
    return { started: true, process };
  } catch (error) {
    fitted?.release();
    streams.closeAll();
    throw error;
  }
}

/** Limits first: they hold for whatever comes after. */
function wrapped(argv: readonly string[], command: ProcessCommand): readonly string[] {
  const owning = command.terminal ? [...takeTerminal, ...argv] : argv;
  return command.limits ? withLimits(owning, command.limits) : owning;
}

/** Starts the runner and gives up our copies of its ends; settles the launch if it cannot start. */
async function launchRunner(launch: SandboxLaunch, streams: CommandStreams): Promise<Runner> {
  try {
    return await startRunner(launch, streams.commandEnds);
  } catch (error) {
    launch.onStarted(undefined);
    await launch.settle({ code: null, signal: null });
    throw error;
  } finally {
    streams.closeCommandEnds();
  }
}
