import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { interleave, renderTable, type Contender } from "./harness/index.ts";

const repository = process.env["FENCEPOST_ROOT"] ?? fileURLToPath(new URL("../..", import.meta.url));

/** Start-up: what a short call costs besides its work, against Node doing nothing. */
export async function run(): Promise<void> {
  const workspace = mkdtempSync(join(homedir(), ".fencepost-bench-"));
  const bin = join(repository, "apps/fencepost/bin/fencepost.mjs");
  const node: Contender = { name: "node -e 0", run: () => start(["-e", "0"]) };
  const fencepost = (...args: string[]): Contender => ({ name: "fencepost", run: () => start([bin, ...args, "--workspace", workspace]) });
  const contract = pathToFileURL(join(repository, "packages/contract/dist/index.mjs")).href;
  const importing: Contender = { name: "import", run: () => start(["--input-type=module", "-e", `import ${JSON.stringify(contract)}`]) };
  try {
    const rows = [
      await interleave({ name: "import @fencepost/contract", peer: node, ours: importing, target: 1.5, rounds: 21 }),
      await interleave({ name: "call list {}", peer: node, ours: fencepost("call", "list", "{}"), target: 2.2, rounds: 21 }),
      await interleave({ name: "call bash true", peer: node, ours: fencepost("call", "bash", '{"command":"true"}'), target: 3, rounds: 21 }),
    ];
    console.log(renderTable(rows));
  } finally {
    rmSync(workspace, { recursive: true, force: true });
  }
}

function start(args: readonly string[]): void {
  const { status, stderr } = spawnSync(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"], encoding: "utf8" });
  if (status !== 0) throw new Error(`node ${args.join(" ")} exited ${status}: ${stderr}`);
}
