import { constants } from "node:os";

/** Signals that end a program unless it says otherwise. */
const names = ["SIGHUP", "SIGINT", "SIGQUIT", "SIGILL", "SIGTRAP", "SIGABRT", "SIGBUS", "SIGFPE", "SIGKILL", "SIGUSR1", "SIGSEGV", "SIGUSR2", "SIGPIPE", "SIGALRM", "SIGTERM", "SIGXCPU", "SIGXFSZ", "SIGSYS"] as const;

const shellSignalBase = 128;

/**
 * bwrap, as a shell does, reports a death by signal n as exit code 128 + n, on its status descriptor too: it sums up the
 * wait status before anyone can see it. A command that exits so itself (`exit 137`) reads the same. To tell them apart,
 * something of ours would have to wait inside the sandbox, where the command could speak in its place.
 */
export function signalOf(exitCode: number): NodeJS.Signals | undefined {
  return names.find((name) => constants.signals[name] === exitCode - shellSignalBase);
}
