import { resolveEnvironment, SandboxPolicy, type SandboxBackend, type SandboxCommand } from "@fencepost/sandbox";
import { runLaunch } from "@fencepost/sandbox/testing";
import { builtinRegistry, localSession } from "@fencepost/tools";
import { realpathSync } from "node:fs";

export interface WorkspaceBench {
  readonly path: string;
  /** One call of the bash tool, with all that a session does around it. */
  throughTool(command: string): Promise<void>;
  /** The sandbox alone: planned, started, swept behind. */
  throughBackend(command: string): Promise<void>;
}

const unused = (): Promise<never> => Promise.reject(new Error("this benchmark does not search"));

export async function openWorkspace(backend: SandboxBackend, home: string, directory: string): Promise<WorkspaceBench> {
  const path = realpathSync(directory);
  const environment = resolveEnvironment({ workspaceRoot: path, env: { ...process.env, HOME: home } });
  const policy = new SandboxPolicy({ mode: "auto", workspaceRoot: path, grants: [], environment, network: "host" });
  const session = await localSession({ sessionId: "bench", workspaceRoot: path, environment, backend, search: { grep: unused, glob: unused, close: () => Promise.resolve() } });
  const toolset = builtinRegistry().finalize({ tools: ["bash"] }, session);
  let calls = 0;
  const commandOf = (command: string): SandboxCommand => ({ policy, argv: ["/bin/bash", "-c", command], workingDirectory: path, env: session.environment, sessionId: "bench", callId: `backend-${(calls += 1)}` });

  return {
    path,
    async throughTool(command) {
      const result = await toolset.call({ toolId: "bash", input: { command } }, { callId: `call-${(calls += 1)}`, signal: new AbortController().signal, progress: () => undefined, policy });
      if (result.status !== "succeeded") throw new Error(JSON.stringify(result.content));
    },
    async throughBackend(command) {
      const { exitCode } = await (await runLaunch(backend, commandOf(command))).done;
      if (exitCode !== 0) throw new Error(`the command exited ${exitCode}`);
    },
  };
}
