import { randomUUID } from "node:crypto";
import { canonicalWorkspace, platformBackend, resolveEnvironment, SandboxPolicy, type SandboxBackend } from "@fencepost/sandbox";
import { localSession } from "@fencepost/tools";
import { sandboxReads } from "./read-files.ts";
import type { SandboxSession } from "./sandbox-session.ts";
import { sandboxProcesses } from "./spawn.ts";
import { sandboxWrites } from "./write-files.ts";

export interface AiSdkSandboxOptions {
  readonly workspace: string;
  /** Default: the one of this platform. */
  readonly backend?: SandboxBackend;
  readonly stateHome?: string;
  readonly network?: "host" | "none";
}

export interface AiSdkSandbox extends SandboxSession {
  /** Ends nothing that runs; lets go of the backend. */
  close(): Promise<void>;
}

/**
 * The sandbox session of the AI SDK 7 (`experimental_sandbox`), filled by the kernel sandbox of this machine in mode
 * `auto`: the workspace and the temp directories are writable, credentials are not readable, nobody is asked.
 *
 * @throws {Error} one line: a workspace that is no directory, a machine without a sandbox
 */
export async function createAiSdkSandbox(options: AiSdkSandboxOptions): Promise<AiSdkSandbox> {
  const workspace = canonicalWorkspace(options.workspace);
  if ("error" in workspace) throw new Error(workspace.error);
  const environment = resolveEnvironment({ workspaceRoot: workspace.path, ...(options.stateHome !== undefined && { stateHome: options.stateHome }) });
  const backend = options.backend ?? platformBackend();
  const session = await localSession({ sessionId: randomUUID(), workspaceRoot: workspace.path, environment, backend, escalation: "non_interactive" });
  const close = async (): Promise<void> => {
    await session.tasks?.close();
    await session.search.close();
    if (!options.backend) await backend.close();
  };
  if (!session.sandbox.available) {
    await close();
    throw new Error(`no sandbox: ${session.sandbox.reason}`);
  }
  const ground = { session, policy: new SandboxPolicy({ mode: "auto", workspaceRoot: workspace.path, grants: [], environment, network: options.network ?? "host" }) };
  return {
    description: `Commands run in a sandbox; relative paths start at ${workspace.path}. It and the temp directories can be written. Standard error comes with standard output.`,
    ...sandboxReads(ground),
    ...sandboxWrites(ground),
    ...sandboxProcesses(ground),
    close,
  };
}
