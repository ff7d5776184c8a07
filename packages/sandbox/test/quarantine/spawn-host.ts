import { spawn, type ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { SandboxCommand } from "../../src/index.ts";

const runner = `import { runnerImport } from "vite"; await runnerImport(process.argv[1], { configFile: false, logLevel: "silent" });`;

const waitingHost = new URL("host.ts", import.meta.url);

/** Starts another process that hosts one command. */
export function spawnHost(command: SandboxCommand, program = waitingHost): ChildProcess {
  const { mode, workspaceRoot, grants, environment, network } = command.policy;
  const env = { ...process.env, FENCEPOST_HOST_COMMAND: JSON.stringify({ ...command, policy: { mode, workspaceRoot, grants, environment, network } }) };
  const host = spawn(process.execPath, ["--input-type=module", "-e", runner, fileURLToPath(program)], { stdio: ["ignore", "inherit", "inherit"], env });
  // A test that fails must not leave its host behind.
  process.once("exit", () => host.kill("SIGKILL"));
  return host;
}
