import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { bubblewrapBackend, resolveEnvironment, SandboxPolicy } from "@fencepost/sandbox";
import { createToolRegistry, builtinRegistry, localSession, type FinalizedToolset } from "@fencepost/tools";
import { execa } from "execa";
import { currentPeakBytes, figureAlone, interleave, renderTable, type Contender } from "./harness/index.ts";
import { bareRunner, plainShell } from "./sandbox/bare.ts";

const outputBytes = 2_000_000_000;

/** The most memory that a process may hold which runs one flooding command and does nothing else. */
const mostPeakBytes = 110 * 1024 ** 2;

/** Commands: what a call costs over a bare sandboxed start and over plain starts, and what a flood of output costs. */
export async function run(args: readonly string[]): Promise<void> {
  if (args[0] === floodAlone) return floodOnly();
  const home = mkdtempSync(join(homedir(), ".fencepost-bench-"));
  const workspace = join(home, "workspace");
  mkdirSync(workspace);
  const bench = await openBench(home, workspace);
  const rounds = args.includes("--short") ? 11 : 31;
  try {
    const peak = figureAlone(import.meta.url, [floodAlone]);
    const bash: Contender = { name: "bash tool", run: () => bench.call("true") };
    const background: Contender = { name: "start_command", run: () => bench.start("true") };
    const rows = [
      await interleave({ name: `${outputBytes / 1e9} GB of output, against wc -c`, peer: intoWc, ours: { name: "bash tool", run: () => bench.call(flood, floodTimeoutMs) }, target: 2, rounds: 11 }),
      await interleave({ name: "true, against bwrap by hand", peer: { name: "bare hardened bwrap", run: bareRunner(workspace, "true") }, ours: bash, target: 1.6, rounds }),
      await interleave({ name: "true, against child_process without a sandbox", peer: plain, ours: bash, target: 8, rounds }),
      await interleave({ name: "true, against execa without a sandbox", peer: viaExeca, ours: bash, target: 6, rounds }),
      await interleave({ name: "start_command that ends at once", peer: bash, ours: background, target: 1.2, rounds }),
    ];
    console.log(renderTable(rows));
    console.log(`peak memory of a process that only runs the flood: ${Math.round(peak / 1024 ** 2)} MB, target <= ${mostPeakBytes / 1024 ** 2} MB${peak > mostPeakBytes ? "  MISSED" : ""}`);
    console.log(`spill of the last flood: ${bench.spillBytes()} bytes`);
  } finally {
    await bench.close();
    rmSync(home, { recursive: true, force: true });
  }
}

const floodAlone = "--flood-alone";

/** One flood in a process of its own, which tells how much memory it took. */
async function floodOnly(): Promise<void> {
  const home = mkdtempSync(join(homedir(), ".fencepost-bench-"));
  const workspace = join(home, "workspace");
  mkdirSync(workspace);
  const bench = await openBench(home, workspace);
  try {
    await bench.call(flood, floodTimeoutMs);
    console.log(currentPeakBytes());
  } finally {
    await bench.close();
    rmSync(home, { recursive: true, force: true });
  }
}

const floodTimeoutMs = 120_000;

const flood = `yes | head -c ${outputBytes}`;

const intoWc: Contender = {
  name: "wc -c",
  run: () => {
    const { stdout } = spawnSync("/bin/bash", ["-c", `${flood} | wc -c`], { encoding: "utf8" });
    if (Number(stdout) !== outputBytes) throw new Error(`wc counted ${stdout}`);
  },
};

const plain: Contender = { name: "child_process", run: plainShell("true") };

const viaExeca: Contender = { name: "execa", run: () => execa("/bin/bash", ["-c", "true"]) };

const unused = (): Promise<never> => Promise.reject(new Error("this benchmark does not search"));

interface CommandBench {
  call(command: string, timeoutMs?: number): Promise<void>;
  start(command: string): Promise<void>;
  spillBytes(): number;
  close(): Promise<void>;
}

async function openBench(home: string, workspace: string): Promise<CommandBench> {
  const environment = resolveEnvironment({ workspaceRoot: workspace, env: { ...process.env, HOME: home } });
  const policy = new SandboxPolicy({ mode: "auto", workspaceRoot: workspace, grants: [], environment, network: "host" });
  const backend = bubblewrapBackend();
  const session = await localSession({ sessionId: "bench", workspaceRoot: workspace, environment, backend, search: { grep: unused, glob: unused, close: () => Promise.resolve() } });
  const registry = builtinRegistry();
  const tools = ["bash", "start_command"].flatMap((id) => registry.tool(id) ?? []);
  const toolset = createToolRegistry(tools).finalize({ tools: tools.map((tool) => tool.id) }, session);
  let calls = 0;
  let lastSpill: string | undefined;

  async function use(toolId: string, input: object): Promise<void> {
    const result = await toolset.call({ toolId, input }, { callId: `call-${++calls}`, signal: new AbortController().signal, progress: () => undefined, policy });
    if (result.status !== "succeeded") throw new Error(JSON.stringify(result.content));
    lastSpill = spillOf(result) ?? lastSpill;
  }

  return {
    call: (command, timeoutMs) => use("bash", { command, ...(timeoutMs !== undefined && { timeoutMs }) }),
    start: (command) => use("start_command", { command, duplicatePolicy: "start_new" }),
    spillBytes: () => (lastSpill === undefined ? 0 : statSync(lastSpill).size),
    async close() {
      await session.tasks?.close();
      await backend.close();
    },
  };
}

type Result = Awaited<ReturnType<FinalizedToolset["call"]>>;

function spillOf({ data }: Result): string | undefined {
  const path = typeof data === "object" && data !== null && "spillPath" in data ? data.spillPath : undefined;
  return typeof path === "string" ? path : undefined;
}
