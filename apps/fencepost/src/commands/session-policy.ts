import { resolveEnvironment, SandboxPolicy, type SandboxMode } from "@fencepost/sandbox";

/** The policy a session in this workspace would stamp on a call without grants. For commands that only look. */
export function sessionPolicy(workspaceRoot: string, mode: SandboxMode): SandboxPolicy {
  return new SandboxPolicy({ mode, workspaceRoot, grants: [], environment: resolveEnvironment({ workspaceRoot }), network: "host" });
}
