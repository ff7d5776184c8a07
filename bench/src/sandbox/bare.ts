import { spawn, type ChildProcess } from "node:child_process";
import { realpathSync } from "node:fs";

/** The shell without any sandbox. */
export function plainShell(command: string): () => Promise<void> {
  return () => ended(spawn("/bin/bash", ["-c", command], { stdio: ["ignore", "pipe", "pipe"] }));
}

/** bwrap by hand, as hard as ours and with nothing protected: what the kernel and bwrap take for themselves. */
export function bareRunner(workspace: string, command: string): () => Promise<void> {
  const root = realpathSync(workspace);
  const hardening = ["--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--disable-userns", "--cap-drop", "ALL", "--die-with-parent", "--new-session"];
  const mounts = ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--bind", "/tmp", "/tmp", "--bind", root, root, "--chdir", root];
  return () => ended(spawn("/usr/bin/bwrap", [...hardening, ...mounts, "--", "/bin/bash", "-c", command], { stdio: ["ignore", "pipe", "pipe"] }));
}

function ended(child: ChildProcess): Promise<void> {
  for (const stream of child.stdio) if (stream && "resume" in stream) stream.resume();
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => (code === 0 ? resolve() : reject(new Error(`${child.spawnfile} exited ${code}`))));
  });
}
