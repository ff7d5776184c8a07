import { spawn, type ChildProcess } from "node:child_process";
import { Readable } from "node:stream";
import type { RunnerExit, SandboxLaunch } from "@fencepost/sandbox";
import { withLeaksCovered } from "./leaked-descriptors.ts";

/** A runner that was started: the outer process of one sandboxed command. */
export interface Runner {
  /** Settles when it has exited and all it said on its status pipes was passed on. */
  readonly exit: Promise<RunnerExit>;
}

export interface StandardStreams {
  readonly input: number | "ignore";
  readonly output: number;
}

/** A status pipe that stays open longer than this after the runner has exited is not waited for. */
const maxStatusWaitMs = 500;

/** Starts the runner with exactly the descriptors it asks for. Rejects, or throws for E2BIG, where it cannot start. */
export async function startRunner(launch: SandboxLaunch, streams: StandardStreams): Promise<Runner> {
  const extra = launch.descriptors.map((descriptor) => (descriptor === "status" ? "pipe" : descriptor));
  const child = withLeaksCovered([streams.input, streams.output, streams.output, ...extra], (stdio) =>
    spawn(launch.file, [...launch.args], { cwd: launch.cwd, env: { ...launch.env }, detached: true, stdio }),
  );
  if (child.pid !== undefined) launch.onStarted(child.pid);
  const statusPipes = launch.descriptors.flatMap((descriptor, index) => (descriptor === "status" ? readable(child.stdio[3 + index]) : []));
  for (const pipe of statusPipes) {
    pipe.on("data", (chunk: Uint8Array) => launch.onStatus(chunk));
    pipe.on("error", () => pipe.destroy());
  }
  const exited = runnerExit(child);
  await started(child);
  return { exit: exited.then((exit) => withStatusRead(exit, statusPipes)) };
}

function readable(stream: ChildProcess["stdio"][number] | undefined): readonly Readable[] {
  return stream instanceof Readable ? [stream] : [];
}

function started(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once("spawn", resolve);
    child.once("error", reject);
  });
}

function runnerExit(child: ChildProcess): Promise<RunnerExit> {
  return new Promise((resolve) => child.once("exit", (code, signal) => resolve({ code, signal })));
}

async function withStatusRead(exit: RunnerExit, pipes: readonly Readable[]): Promise<RunnerExit> {
  await Promise.all(pipes.map(closed));
  return exit;
}

function closed(pipe: Readable): Promise<void> {
  if (pipe.closed || pipe.readableEnded) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(finish, maxStatusWaitMs);
    function finish(): void {
      clearTimeout(timer);
      pipe.destroy();
      resolve();
    }
    pipe.once("end", finish);
    pipe.once("close", finish);
  });
}
