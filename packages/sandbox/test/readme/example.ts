import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { explain, resolveEnvironment, SandboxPolicy, validateGrants, type Access } from "@fencepost/sandbox";

const workspaceRoot = realpathSync(mkdtempSync(join(homedir(), "hello-")));

// Once a session: where things are on this machine.
const environment = resolveEnvironment({ workspaceRoot });

// Once a call: what it may do. In accept-edits, file tools write the workspace and commands do not.
const policy = new SandboxPolicy({ mode: "accept-edits", workspaceRoot, grants: [], environment, network: "host" });

function verdicts(path: string, access: Access, asked = policy): string {
  return (["file-tool", "bash"] as const)
    .map((actor) => {
      const verdict = asked.check(path, access, actor);
      return `${actor}: ${verdict.allowed ? "yes" : verdict.reason}`;
    })
    .join(", ");
}

console.log(verdicts(join(workspaceRoot, "src/main.ts"), "write"));
// file-tool: yes, bash: outside_writable_roots
console.log(verdicts(join(environment.home, ".ssh/id_rsa"), "read"));
// file-tool: credential, bash: credential
console.log(verdicts(join(workspaceRoot, ".env"), "write"));
// file-tool: sensitive, bash: sensitive

// A person said yes to one file, for one call: a new policy, used once and dropped.
const granted = policy.withGrants([{ path: join(workspaceRoot, ".env"), access: "write", scope: "exact" }]);
console.log(verdicts(join(workspaceRoot, ".env"), "write", granted));
// file-tool: yes, bash: yes

// Some things nobody is asked about.
const hook = join(workspaceRoot, ".git/hooks/pre-commit");
console.log(validateGrants(policy, [{ path: hook, access: "write", scope: "exact" }], "bash")?.cause);
// hard_protected
console.log(explain(policy, hook, "write", "bash").verdict);
// { allowed: false, reason: 'hard_protected' }

rmSync(workspaceRoot, { recursive: true });
