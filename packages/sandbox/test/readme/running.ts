import { platformBackend, type SandboxCommand, type SandboxLaunch } from "@fencepost/sandbox";

export async function planned({ policy, workingDirectory, env, sessionId, callId }: Omit<SandboxCommand, "argv">): Promise<SandboxLaunch | string> {
  // #region prepare
  const backend = platformBackend();
  const launch = await backend.prepare({ policy, argv: ["/bin/bash", "-c", "make test"], workingDirectory, env, sessionId, callId });
  if (launch.refused) return launch.message; // no sandbox, or too much to protect: nothing runs
  // #endregion
  return launch;
}
