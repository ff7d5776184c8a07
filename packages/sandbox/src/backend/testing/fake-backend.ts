import type { SandboxBackend, SandboxCommand, SandboxLaunch } from "../backend.ts";

/**
 * A stand-in for tests of hosts on machines without a sandbox. It enforces NOTHING: it reads a script of the contract
 * suite's few words, asks the policy, and runs the lines that would be allowed. Never give it a command of a model.
 */
export function fakeSandboxBackend(): SandboxBackend {
  return { id: "fake", probe: async () => ({ available: true }), prepare: async (command) => fakeLaunch(command), close: async () => {} };
}

function fakeLaunch(command: SandboxCommand): SandboxLaunch {
  const [program = "/bin/sh", flag = "-c", script = ""] = command.argv;
  let running: number | undefined;
  return {
    refused: false,
    file: program,
    args: [flag, script.split("\n").map((line) => judged(line, command)).join("\n")],
    env: command.env,
    cwd: command.workingDirectory,
    descriptors: [],
    onStatus: () => {},
    onStarted: (pid) => (running = pid),
    signal: (signal) => send(running, signal),
    settle: async ({ code, signal }) => {
      const ran = running !== undefined;
      running = undefined;
      return {
        gone: true,
        ran,
        exitCode: code,
        signal,
        violated: false,
        notes: [],
        classify: (output) => (ran ? (code !== 0 && /read-only file system|permission denied/i.test(output) ? "denied" : "normal") : "runner_failed"),
      };
    },
  };
}

/** The line itself where the policy allows what it does, else one that fails as the kernel would have it. */
function judged(line: string, { policy }: SandboxCommand): string {
  const written = /^echo .* > '([^']+)'$/.exec(line)?.[1];
  if (written !== undefined && !policy.check(written, "write", "bash").allowed) return `echo '${written}: Read-only file system' >&2; false`;
  const read = /^cat '([^']+)'$/.exec(line)?.[1];
  if (read !== undefined && !policy.check(read, "read", "bash").allowed) return `echo '${read}: Permission denied' >&2; false`;
  return line;
}

function send(group: number | undefined, signal: NodeJS.Signals): "sent" | "gone" | "failed" {
  if (group === undefined) return "gone";
  try {
    process.kill(-group, signal);
    return "sent";
  } catch {
    return "gone";
  }
}
