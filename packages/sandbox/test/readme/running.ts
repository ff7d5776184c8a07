import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { platformBackend, resolveEnvironment, SandboxPolicy } from "@fencepost/sandbox";
import { runLaunch } from "@fencepost/sandbox/testing";

const workspaceRoot = realpathSync(mkdtempSync(join(homedir(), "hello-")));
const environment = resolveEnvironment({ workspaceRoot });
const policy = new SandboxPolicy({ mode: "auto", workspaceRoot, grants: [], environment, network: "none" });
const backend = platformBackend();

// Whether a sandbox works here, and if not, why and what helps.
console.log(await backend.probe());
// { available: true }

async function run(callId: string, command: string): Promise<string> {
  const env = { PATH: process.env["PATH"] ?? "", HOME: environment.home };
  const running = await runLaunch(backend, { policy, argv: ["/bin/bash", "-c", command], workingDirectory: workspaceRoot, env, sessionId: "demo", callId });
  const ended = await running.done;
  return `exit ${ended.exitCode}, ${ended.classify(ended.output)}: ${ended.output.trim()}`;
}

console.log(await run("1", "echo hello > a.txt && cat a.txt"));
// exit 0, normal: hello

console.log((await run("2", "echo x > ~/outside.txt")).split(":")[0]);
// exit 1, denied

await backend.close();
rmSync(workspaceRoot, { recursive: true });
