import type { SandboxBackend } from "@fencepost/sandbox";

/** Another backend, with one line for each command: that it was refused, or how it ended. */
export function auditedBackend(inner: SandboxBackend, log: (line: string) => void): SandboxBackend {
  return {
    id: `audited-${inner.id}`,
    probe: () => inner.probe(),
    close: () => inner.close(),
    async prepare(command) {
      const launch = await inner.prepare(command);
      if (launch.refused) {
        log(`${command.callId}: refused, ${launch.kind}`);
        return launch;
      }
      return {
        ...launch,
        onStatus: (chunk) => launch.onStatus(chunk),
        onStarted: (pid) => launch.onStarted(pid),
        signal: (signal) => launch.signal(signal),
        async settle(exit) {
          const settlement = await launch.settle(exit);
          log(`${command.callId}: ${settlement.ran ? `exit ${settlement.exitCode ?? settlement.signal}` : "did not run"}`);
          return settlement;
        },
      };
    },
  };
}
