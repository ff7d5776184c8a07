import { bubblewrapBackend, resolveEnvironment, SandboxPolicy } from "@fencepost/sandbox";
import { createLocalProcessBackend } from "../../src/process/local-process-backend.ts";

/** Starts a call and a background command, each with children that try to get away, and waits to be killed. */
export async function startAndWait(workspace: string, home: string, mark: string): Promise<void> {
  const environment = resolveEnvironment({ workspaceRoot: workspace, env: { HOME: home } });
  const policy = new SandboxPolicy({ mode: "auto", workspaceRoot: workspace, grants: [], environment, network: "host" });
  const backend = createLocalProcessBackend(bubblewrapBackend());
  for (const background of [false, true]) {
    await backend.start(
      {
        policy,
        argv: ["/bin/bash", "-c", `setsid sleep ${mark} & nohup sleep ${mark} & disown -a; trap '' TERM HUP; sleep ${mark}`],
        workingDirectory: workspace,
        env: { PATH: "/usr/bin:/bin" },
        sessionId: "session",
        callId: `call-${background}`,
        background,
      },
      { onOutput: () => undefined },
    );
  }
}
