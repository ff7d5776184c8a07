import { randomUUID } from "node:crypto";
import { constants } from "node:os";
import { bashDenialText } from "@fencepost/sandbox";
import type { ProcessExit, RunningProcess } from "@fencepost/tools";
import { checkedPath, SandboxRefusal, type SandboxGround } from "./sandbox-ground.ts";

export interface ProcessRequest {
  readonly argv: readonly string[];
  readonly workingDirectory?: string | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly input: boolean;
  readonly abortSignal?: AbortSignal | undefined;
  /** A chunk is valid during the call only. */
  readonly onOutput: (chunk: Uint8Array) => void;
}

export interface StartedProcess {
  readonly process: RunningProcess;
  /** Ends it, also before it has begun. */
  readonly kill: () => void;
  /** Rejects with the signal's reason where the process was aborted. */
  readonly ended: Promise<ProcessEnd>;
}

export interface ProcessEnd {
  readonly exitCode: number;
  /** What the sandbox says of the run, a line each. */
  readonly notes: readonly string[];
}

/** How much of the end of the output is kept to tell a refusal by, in bytes. */
const keptTailBytes = 16 * 1024;

/** Starts a process inside the kernel sandbox. There is no way to start one without it. */
export async function startProcess(ground: SandboxGround, request: ProcessRequest): Promise<StartedProcess> {
  const { session, policy } = ground;
  const { abortSignal } = request;
  abortSignal?.throwIfAborted();
  const workingDirectory = request.workingDirectory === undefined ? session.workingDirectory : (await checkedPath(ground, request.workingDirectory, "read")).real;
  let tail: Buffer = Buffer.alloc(0);
  const start = await session.processes.start(
    {
      policy,
      argv: request.argv,
      workingDirectory,
      env: { ...session.environment, ...request.env },
      limits: session.options.commands.limits,
      sessionId: session.sessionId,
      callId: randomUUID(),
      ...(request.input && { input: "pipe" as const }),
    },
    {
      onOutput(chunk) {
        tail = Buffer.concat([tail, chunk]).subarray(-keptTailBytes);
        request.onOutput(chunk);
      },
    },
  );
  if (!start.started) throw new SandboxRefusal(start.message);
  const { process } = start;
  let killed = false;
  const kill = (): void => {
    killed = true;
    process.kill();
  };
  abortSignal?.addEventListener("abort", kill, { once: true });
  if (abortSignal?.aborted) kill();
  const ended = process.exit.then((exit) => {
    abortSignal?.removeEventListener("abort", kill);
    abortSignal?.throwIfAborted();
    if (!exit.ran && killed) return { exitCode: exitCodeOfSignal("SIGKILL"), notes: [] };
    return endOf(exit, tail.toString(), policy.mode);
  });
  // Whoever does not wait for it does not learn of it.
  ended.catch(() => undefined);
  return { process, kill, ended };
}

function endOf(exit: ProcessExit, tail: string, mode: SandboxGround["policy"]["mode"]): ProcessEnd {
  if (!exit.gone) throw new SandboxRefusal("the process was killed, but that it has ended could not be confirmed");
  if (!exit.ran) throw new SandboxRefusal(`the sandbox failed to start the process: ${tail.split("\n", 1)[0] ?? ""}`);
  const denied = exit.violated || exit.classify(tail) === "denied";
  return { exitCode: exit.exitCode ?? exitCodeOfSignal(exit.signal), notes: [...(denied ? [bashDenialText(mode, "non_interactive")] : []), ...exit.notes] };
}

/** As a shell reports it. */
function exitCodeOfSignal(signal: NodeJS.Signals | null): number {
  return 128 + (signal === null ? 0 : constants.signals[signal]);
}
