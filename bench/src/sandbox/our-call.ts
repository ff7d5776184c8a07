import { resolveEnvironment, SandboxPolicy, type SandboxBackend, type SandboxCommand } from "@fencepost/sandbox";
import { builtinRegistry, localSession } from "@fencepost/tools";
import { spawn } from "node:child_process";
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
      const launch = await backend.prepare(commandOf(command));
      if (launch.refused) throw new Error(launch.message);
      const child = spawn(launch.file, launch.args, { cwd: launch.cwd, env: { ...launch.env }, detached: true, stdio: ["ignore", "ignore", "ignore", ...launch.descriptors.map((descriptor) => (descriptor === "status" ? ("pipe" as const) : descriptor))] });
      launch.onStarted(child.pid);
      for (const pipe of child.stdio.slice(3)) if (pipe && "on" in pipe) pipe.on("data", (chunk: Uint8Array) => launch.onStatus(chunk));
      const exit = await new Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>((resolve) => child.once("close", (code, signal) => resolve({ code, signal })));
      const settled = await launch.settle(exit);
      if (settled.exitCode !== 0) throw new Error(`the command exited ${settled.exitCode}`);
    },
  };
}
