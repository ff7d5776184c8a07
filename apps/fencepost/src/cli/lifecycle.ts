import { exitCodes } from "./exit-code.ts";

/** How long an interrupted command may take to end what it runs, in milliseconds. */
export const endWithinMs = 2000;

/** Why the process is to end before its command is done. */
export interface Interruption {
  readonly signal: AbortSignal;
  /** The exit code it asks for; undefined while nothing was interrupted. */
  readonly exitCode: () => number | undefined;
}

const signalCodes = { SIGINT: exitCodes.interrupted, SIGTERM: exitCodes.terminated, SIGHUP: exitCodes.hungUp } as const;

/**
 * The first signal asks the command to end what it runs; the second ends the process at once. A reader that went away is
 * an interruption too: nobody is left to answer.
 */
export function watchInterruptions(report: (line: string) => void): Interruption {
  const controller = new AbortController();
  let exitCode: number | undefined;
  const interrupt = (code: number): void => {
    exitCode ??= code;
    controller.abort();
  };
  for (const [name, code] of Object.entries(signalCodes)) {
    process.on(name, () => {
      if (controller.signal.aborted) process.exit(code);
      // The terminal has written ^C, or a question is open: what comes next begins a line of its own.
      if (process.stderr.isTTY) process.stderr.write("\n");
      interrupt(code);
    });
  }
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (!controller.signal.aborted) report(error.code === "EPIPE" ? "nobody reads standard output any more" : `cannot write standard output: ${error.message}`);
    interrupt(exitCodes.failed);
  });
  // A lost standard error must not end anything: it carries only what people read.
  process.stderr.on("error", () => {});
  return { signal: controller.signal, exitCode: () => exitCode };
}

/**
 * Ends the process once its output has left it, however slowly it is read; after an interruption, not for long. An
 * interruption, also one that comes with the last write, says how it ends.
 */
export async function exitWhenWritten(code: number, { signal, exitCode }: Interruption): Promise<never> {
  await Promise.all([written(process.stdout, signal.aborted), written(process.stderr, signal.aborted)]);
  // A failed write is told one turn later than it is done.
  await new Promise((resolve) => setImmediate(resolve));
  process.exit(exitCode() ?? code);
}

async function written(stream: NodeJS.WriteStream, interrupted: boolean): Promise<void> {
  if (stream.destroyed || stream.writableLength === 0) return;
  const done = new Promise<void>((resolve) => {
    stream.write("", () => resolve());
    stream.once("close", resolve);
    if (interrupted) setTimeout(resolve, endWithinMs);
  });
  await done;
}
