import { sandboxUnavailableText } from "@fencepost/sandbox";
import type { SessionContext } from "../context/session-context.ts";
import type { CallContext } from "../context/call-context.ts";
import { createOutputCapture, type CapturedOutput } from "../process/output/output-capture.ts";
import type { CommandEnd } from "../process/output/status-line.ts";
import type { ProcessExit } from "../process/process-backend.ts";
import { commandEnvironment } from "./command-environment.ts";
import { effectiveLimitMs } from "./command-limit.ts";

export interface CommandRequest {
  readonly command: string;
  /** Canonical, checked by the fence. */
  readonly workingDirectory: string;
  readonly timeoutMs: number;
  /** Distinguishes the commands of one call, where it runs several. */
  readonly runId: string;
}

/** What became of one command. */
export type CommandRun =
  | { readonly kind: "ended"; readonly end: CommandEnd; readonly durationMs: number; readonly output: CapturedOutput; readonly exit: ProcessExit | undefined }
  /** It was killed, and something of it may still run. */
  | { readonly kind: "unknown"; readonly durationMs: number; readonly output: CapturedOutput; readonly exit: ProcessExit }
  | { readonly kind: "not_run"; readonly code: "sandbox_unavailable" | "execution_failed"; readonly message: string };

/**
 * Runs one command to its end, its limit or the call's cancellation: one path for all three.
 *
 * Between the plan of a sandbox and its mounts the disk goes on: something that was to be covered may be gone, and the
 * runner fails before the command has run. Then, and only then, it is planned and started once more.
 */
export async function runCommand(session: SessionContext, call: CallContext, request: CommandRequest): Promise<CommandRun> {
  if (!session.sandbox.available) return unavailable(session.sandbox.reason);
  const first = await attempt(session, call, request);
  const last = first.kind === "runner_failed" ? await attempt(session, call, request) : first;
  return last.kind === "runner_failed" ? last.outcome : last;
}

type Attempt = CommandRun | { readonly kind: "runner_failed"; readonly outcome: CommandRun };

async function attempt(session: SessionContext, call: CallContext, request: CommandRequest): Promise<Attempt> {
  const begin = performance.now();
  const elapsed = (): number => performance.now() - begin;
  const { spill, options } = session;
  const capture = createOutputCapture({
    progress: call.progress,
    secrets: options.commands.secrets,
    ...(spill && { openSpill: () => spill.open(request.runId) }),
  });
  if (call.signal.aborted) return { kind: "ended", end: { kind: "cancelled" }, durationMs: 0, output: await capture.finish(), exit: undefined };

  const limitMs = effectiveLimitMs(request.timeoutMs, options.maxCommandTimeoutMs, call.deadline, Date.now());
  const start = await session.processes.start(
    {
      policy: call.policy,
      argv: ["/bin/bash", "-c", request.command],
      workingDirectory: request.workingDirectory,
      env: commandEnvironment(session.environment, { antiHang: options.commands.antiHang === "all", secrets: options.commands.secrets }),
      limits: options.commands.limits,
      sessionId: session.sessionId,
      callId: request.runId,
    },
    { onOutput: (chunk) => capture.push(chunk) },
  );
  if (!start.started) {
    await capture.discard();
    return { kind: "not_run", code: start.kind === "unavailable" ? "sandbox_unavailable" : "execution_failed", message: start.message };
  }

  const { process } = start;
  const interruption = interruptionOf(call.signal, limitMs, () => process.kill());
  const exit = await process.exit;
  const interrupted = interruption.stop();
  const durationMs = elapsed();
  if (!exit.gone) return { kind: "unknown", durationMs, output: await capture.finish(), exit };
  if (interrupted) return { kind: "ended", end: interrupted, durationMs, output: await capture.finish(), exit };
  if (!exit.ran) return { kind: "runner_failed", outcome: notRun((await capture.discard()).text, exit) };
  return { kind: "ended", end: ownEnd(exit), durationMs, output: await capture.finish(), exit };
}

/** Kills once at the limit or at cancellation, and knows which of them came first. */
function interruptionOf(signal: AbortSignal, limitMs: number, kill: () => void): { stop(): CommandEnd | undefined } {
  let reason: CommandEnd | undefined;
  function interrupt(end: CommandEnd): void {
    if (reason) return;
    reason = end;
    kill();
  }
  const onAbort = (): void => interrupt({ kind: "cancelled" });
  const timer = setTimeout(() => interrupt({ kind: "timed_out", limitMs }), limitMs);
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();
  return {
    stop() {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      return reason;
    },
  };
}

function ownEnd(exit: ProcessExit): CommandEnd {
  return exit.signal === null ? { kind: "exited", exitCode: exit.exitCode ?? 0 } : { kind: "killed", signal: exit.signal };
}

/** A runner that the sandbox itself stopped has printed nothing: then the sandbox says why. */
function notRun(printed: string, { notes: [note] }: ProcessExit): CommandRun {
  return printed === "" && note !== undefined ? { kind: "not_run", code: "execution_failed", message: note } : unavailable(firstLine(printed));
}

function unavailable(reason: string): CommandRun {
  return { kind: "not_run", code: "sandbox_unavailable", message: sandboxUnavailableText(reason) };
}

/** What the runner said of its own failure. */
function firstLine(text: string): string {
  return text.split("\n", 1)[0]?.trim() || "the sandbox failed to start the command";
}
