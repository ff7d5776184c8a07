import { SandboxManager, type SandboxRuntimeConfig } from "@anthropic-ai/sandbox-runtime";
import { spawn } from "node:child_process";
import { homedir } from "node:os";
import { join } from "node:path";

export interface RuntimePeer {
  /** Wraps and runs the command with restrictions on files only, as ours does by default. */
  readonly filesOnly: () => Promise<void>;
  /** The same with its network proxies, its usual way. */
  readonly whole: () => Promise<void>;
  /** Why it cannot be measured here; its runs then do nothing. */
  readonly missing: string | undefined;
  readonly close: () => Promise<void>;
}

const skip = (): Promise<void> => Promise.resolve();

/** npm's @anthropic-ai/sandbox-runtime around the same command, initialised once, wrapped anew for each call as an agent does. */
export async function sandboxRuntime(workspace: string, command: string): Promise<RuntimePeer> {
  const before = process.cwd();
  const filesystem = { denyRead: [join(homedir(), ".ssh"), join(homedir(), ".aws")], allowWrite: [workspace, "/tmp"], denyWrite: [".env"] };
  const whole: SandboxRuntimeConfig = { network: { allowedDomains: [], deniedDomains: [] }, filesystem };
  // Its types ask for a list of domains; without one it leaves the network alone.
  const filesOnly: SandboxRuntimeConfig = JSON.parse(JSON.stringify({ network: { deniedDomains: [] }, filesystem }));
  // It looks for what it must protect in the working directory.
  process.chdir(workspace);
  const close = async (): Promise<void> => {
    process.chdir(before);
    await SandboxManager.reset();
  };
  try {
    await SandboxManager.initialize(whole);
  } catch (error) {
    return { filesOnly: skip, whole: skip, missing: error instanceof Error ? error.message : String(error), close };
  }
  const under = (config: SandboxRuntimeConfig) => async (): Promise<void> => {
    SandboxManager.updateConfig(config);
    const wrapped = await SandboxManager.wrapWithSandbox(command);
    await new Promise<void>((resolve, reject) => {
      const child = spawn("/bin/bash", ["-c", wrapped], { cwd: workspace, stdio: ["ignore", "ignore", "ignore"] });
      child.once("error", reject);
      child.once("exit", (code) => (code === 0 ? resolve() : reject(new Error(`sandbox-runtime exited ${code}`))));
    });
    SandboxManager.cleanupAfterCommand();
  };
  return { filesOnly: under(filesOnly), whole: under(whole), missing: undefined, close };
}
