import { noAdditions, SandboxPolicy, type SandboxEnvironment, type SandboxMode } from "@fencepost/sandbox";

export const workspace = "/home/ada/project";

const environment: SandboxEnvironment = {
  home: "/home/ada",
  credentialHomes: ["/home/ada"],
  tempRoots: ["/tmp"],
  stateHome: "/home/ada/.fencepost",
  skillRoots: ["/home/ada/.agents/skills"],
  gitDirs: [],
  additions: noAdditions,
};

export function policyOf(mode: SandboxMode): SandboxPolicy {
  return new SandboxPolicy({ mode, workspaceRoot: workspace, grants: [], environment, network: "host" });
}
