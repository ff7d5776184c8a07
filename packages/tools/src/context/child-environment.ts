import { bashEnvironment, type SandboxPolicy } from "@fencepost/sandbox";

/** All that a child process inherits of the host's variables: whatever else is there may be a secret. */
const inheritedVariables = ["PATH", "HOME", "SHELL", "LANG", "LC_ALL", "TMPDIR"] as const;

/** Where the host has no PATH: what bash would assume. */
const defaultPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** The environment of a session's child processes: six variables of the host, then what caches need under the policy. */
export function childEnvironment(hostEnvironment: Readonly<Record<string, string | undefined>>, policy: Pick<SandboxPolicy, "environment">): Readonly<Record<string, string>> {
  const inherited = inheritedVariables.flatMap((name) => {
    const value = hostEnvironment[name];
    return value === undefined || value.includes("\0") ? [] : [[name, value] as const];
  });
  return Object.freeze({ PATH: defaultPath, ...Object.fromEntries(inherited), ...bashEnvironment(policy.environment) });
}
