import { noAdditions, SandboxPolicy, type PathGrant, type SandboxEnvironment, type SandboxMode, type TierAdditions } from "@fencepost/sandbox";

export interface Places {
  readonly mode?: SandboxMode;
  readonly workspaceRoot?: string;
  readonly grants?: readonly PathGrant[];
  readonly environment?: Partial<SandboxEnvironment>;
  readonly additions?: Partial<TierAdditions>;
  readonly network?: "host" | "none";
}

/** A policy on a made-up machine: `/u` is home, `/w` the workspace, `/tmp` and `/t2` are temp roots. */
export function policyOf(places: Places = {}): SandboxPolicy {
  const home = places.environment?.home ?? "/u";
  return new SandboxPolicy({
    mode: places.mode ?? "auto",
    workspaceRoot: places.workspaceRoot ?? "/w",
    grants: places.grants ?? [],
    network: places.network ?? "host",
    environment: {
      home,
      credentialHomes: [home],
      tempRoots: ["/tmp", "/t2"],
      stateHome: `${home}/.fencepost`,
      skillRoots: [`${home}/.agents/skills`],
      gitDirs: [],
      platform: "linux",
      additions: { ...noAdditions, ...places.additions },
      ...places.environment,
    },
  });
}

export function grant(path: string, access: PathGrant["access"] = "write", scope: PathGrant["scope"] = "subtree"): PathGrant {
  return { path, access, scope };
}

/** `rw`, `r-`, `-w` or `--`. */
export function verdictOf(policy: SandboxPolicy, path: string, actor: "bash" | "file-tool" = "bash"): string {
  return (policy.check(path, "read", actor).allowed ? "r" : "-") + (policy.check(path, "write", actor).allowed ? "w" : "-");
}
