import { Buffer } from "node:buffer";
import { spawn } from "node:child_process";
import type { RunnerExit, SandboxBackend, SandboxCommand, SandboxSettlement } from "../backend.ts";

export interface RunningCommand {
  readonly done: Promise<SandboxSettlement & { readonly output: string }>;
  signal(signal: NodeJS.Signals): "sent" | "gone" | "failed";
  output(): string;
}

/** Starts a command as a host does, for tests. Throws where the backend refuses. */
export async function runLaunch(backend: SandboxBackend, command: SandboxCommand): Promise<RunningCommand> {
  const launch = await backend.prepare(command);
  if (launch.refused) throw new Error(launch.message);
  const child = spawn(launch.file, launch.args, { env: launch.env, cwd: launch.cwd, detached: true, stdio: ["ignore", "pipe", "pipe", ...launch.descriptors.map((one) => (one === "status" ? ("pipe" as const) : one))] });
  launch.onStarted(child.pid);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk: Uint8Array) => (output += Buffer.from(chunk).toString("utf8")));
  launch.descriptors.forEach((one, index) => {
    const pipe = child.stdio[index + 3];
    if (one === "status" && pipe !== null && pipe !== undefined && "on" in pipe) pipe.on("data", (chunk: Uint8Array) => launch.onStatus(chunk));
  });
  const exited = new Promise<RunnerExit>((resolve) => {
    child.once("error", () => resolve({ code: null, signal: null }));
    child.once("close", (code, signal) => resolve({ code, signal }));
  });
  return { done: exited.then(async (exit) => ({ ...(await launch.settle(exit)), output })), signal: (signal) => launch.signal(signal), output: () => output };
}
