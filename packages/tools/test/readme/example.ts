import { mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { resultText } from "@fencepost/contract";
import { platformBackend, resolveEnvironment, SandboxPolicy } from "@fencepost/sandbox";
import { builtinRegistry, defaultPreset, localSession } from "@fencepost/tools";

const workspaceRoot = realpathSync(mkdtempSync(join(tmpdir(), "hello-")));
writeFileSync(join(workspaceRoot, "greeting.txt"), "hello\n");

// Once a session: where things are, a kernel sandbox, a fixed set of tools.
const environment = resolveEnvironment({ workspaceRoot, stateHome: join(workspaceRoot, ".state") });
const backend = platformBackend();
const session = await localSession({ sessionId: "demo", workspaceRoot, environment, backend });
const toolset = builtinRegistry().finalize(defaultPreset, session);

// Once a call: the policy that the fence and the kernel both enforce.
const policy = new SandboxPolicy({ mode: "auto", workspaceRoot, grants: [], environment, network: "host" });
let calls = 0;
async function call(toolId: string, input: object): Promise<string> {
  const context = { callId: `call-${++calls}`, signal: new AbortController().signal, progress: () => undefined, policy };
  return resultText(await toolset.call({ toolId, input }, context));
}

console.log(await call("read", { path: "greeting.txt" }));
// 1	hello
console.log(await call("edit", { filePath: "greeting.txt", oldString: "hello", newString: "hello, world" }));
// Edited greeting.txt:1 (+1 -1)
console.log(await call("write", { path: ".git/hooks/pre-commit", content: "rm -rf ~" }));
// [sandbox: .git/hooks/pre-commit is protected and cannot be written in any mode; do not retry]

await session.tasks?.close();
await session.search.close();
await backend.close();
