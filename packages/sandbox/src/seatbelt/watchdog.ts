/** The shell that starts the watchdog and then becomes the runner. Absolute, like everything it calls. */
export const watchdogShell = "/bin/sh";

/**
 * Kills the command's process group when the host is gone. macOS has nothing that ties a process to its parent's life,
 * so a second process looks once a second; it holds none of the command's descriptors and stands outside the sandbox.
 * A command of the same user can kill it, or leave the group with `setsid`: the threat model says so. It lives in the
 * group, so that the kill at the end of a call takes it along; signals for the command, which go to the group, it ignores.
 */
const watchdogScript = `host=$1; shift
( trap '' HUP INT QUIT TERM USR1 USR2
  exec </dev/null >/dev/null 2>&1
  while kill -0 "$host"; do /bin/sleep 1; done
  kill -s KILL -- "-$$" ) &
exec "$@"`;

/** Arguments of `watchdogShell` that run `file` under a watchdog over the process `hostPid`. */
export function watchedArguments(hostPid: number, file: string, args: readonly string[]): readonly string[] {
  return ["-c", watchdogScript, "fencepost", String(hostPid), file, ...args];
}
