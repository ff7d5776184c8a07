import { spawn } from "node:child_process";

const maxOutputBytes = 64 * 1024;

/** Runs a program of the self-check, with nothing of the host's environment, and collects what it prints. */
export async function runCaptured(file: string, args: readonly string[], timeoutMs: number): Promise<{ readonly code: number | null; readonly output: string }> {
  return new Promise((resolve) => {
    let output = "";
    const child = spawn(file, args, { env: {}, cwd: "/", stdio: ["ignore", "pipe", "pipe"], timeout: timeoutMs, killSignal: "SIGKILL" });
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Uint8Array) => (output = (output + Buffer.from(chunk).toString("latin1")).slice(0, maxOutputBytes)));
    child.once("error", (error) => resolve({ code: null, output: error.message }));
    child.once("close", (code) => resolve({ code, output }));
  });
}
