import { mkdtempSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { explain, noAdditions, resolveEnvironment, SandboxPolicy, type Access, type Actor } from "@fencepost/sandbox";

const workspaceRoot = realpathSync(mkdtempSync(join(homedir(), "project-")));

// A host may make more names protected. Nothing makes fewer.
const additions = { ...noAdditions, sensitiveNames: ["Makefile"] };
const environment = resolveEnvironment({ workspaceRoot, additions });
const policy = new SandboxPolicy({ mode: "auto", workspaceRoot, grants: [], environment, network: "host" });

function why(path: string, access: Access, actor: Actor): string {
  const { tier, verdict, rule } = explain(policy, path, access, actor);
  return `${verdict.allowed ? "yes" : "no"} (${tier}): ${rule.replaceAll(workspaceRoot, "<workspace>").replaceAll(environment.home, "~")}`;
}

console.log(why(join(workspaceRoot, "src/main.ts"), "write", "bash"));
// yes (normal): It lies in the workspace <workspace>.

console.log(why(join(workspaceRoot, "Makefile"), "write", "file-tool"));
// no (sensitive): It is a name the host application keeps (Makefile): only a write grant that names it makes it writable.

console.log(why(join(environment.home, ".ssh/id_rsa"), "read", "file-tool"));
// no (credential): It is where credentials are kept: only a grant that names it makes it readable.

console.log(why(join(workspaceRoot, ".git/hooks/pre-commit"), "write", "bash"));
// no (hard-protected): It is git hooks, which git runs: no mode and no grant makes it writable.

console.log(why("/usr/bin/env", "read", "bash"));
// yes (normal): Everything that is not a credential path can be read.
