import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { bubblewrapBackend } from "@fencepost/sandbox";
import { currentPeakBytes, median, renderLimits, renderTable, resetPeak, type BenchLimit, type BenchRow } from "./harness/index.ts";
import { alternate } from "./sandbox/alternate.ts";
import { bareRunner, plainShell } from "./sandbox/bare.ts";
import { heldHeapBytes } from "./sandbox/held-heap.ts";
import { openWorkspace, type WorkspaceBench } from "./sandbox/our-call.ts";
import { sandboxRuntime, type RuntimePeer } from "./sandbox/sandbox-runtime.ts";
import { makeLargeWorkspace, makeProtectedWorkspace, makeSmallWorkspace } from "./sandbox/workspaces.ts";

const command = "true";

const rounds = { short: 11, full: 31 } as const;

/** Calls between two looks at what the process holds. */
const callsWatched = 200;

/** What a call leaves to a timer is done by then. */
const settledAfterMs = 300;

/** What the sandbox costs: one `true`, against the shell alone, bwrap alone and sandbox-runtime, in small and large workspaces. */
export async function run(args: readonly string[]): Promise<void> {
  const home = mkdtempSync(join(homedir(), ".fencepost-bench-"));
  const backend = bubblewrapBackend();
  const open = async (name: string, make: (path: string) => void): Promise<WorkspaceBench & { readonly name: string }> => {
    const directory = mkdtempSync(join(home, "workspace-"));
    make(directory);
    return { name: `bash tool, ${name}`, ...(await openWorkspace(backend, home, directory)) };
  };
  let runtime: RuntimePeer | undefined;
  try {
    const small = await open("small repository", makeSmallWorkspace);
    const large = await open("10,000 directories, 100,000 files", makeLargeWorkspace);
    const guarded = await open("1,000 protected files", makeProtectedWorkspace);
    runtime = await sandboxRuntime(small.path, command);
    const { filesOnly, whole, missing } = runtime;
    resetPeak();
    const times = await alternate(
      [
        { name: "bash -c true", run: plainShell(command) },
        { name: "bare hardened bwrap", run: bareRunner(small.path, command) },
        { name: "sandbox-runtime, files only", run: filesOnly },
        { name: "sandbox-runtime", run: whole },
        { name: "sandbox alone, small repository", run: () => small.throughBackend(command) },
        { name: small.name, run: () => small.throughTool(command) },
        { name: large.name, run: () => large.throughTool(command) },
        { name: guarded.name, run: () => guarded.throughTool(command) },
      ],
      args.includes("--short") ? rounds.short : rounds.full,
    );
    const peakBytes = currentPeakBytes();
    const row = (name: string, peer: string, target?: number): BenchRow => {
      const [ours, theirs] = [times(name), times(peer)];
      return { name, peer, peerMs: median(theirs), oursMs: median(ours), ratio: median(ours.map((time, round) => time / (theirs[round] ?? Number.NaN))), target, peakBytes };
    };
    console.log(
      renderTable([
        row(small.name, "bash -c true"),
        row(small.name, "bare hardened bwrap", 1.6),
        ...(missing === undefined ? [row(small.name, "sandbox-runtime, files only", 0.5), row(small.name, "sandbox-runtime", 0.5)] : []),
        row("sandbox alone, small repository", "bare hardened bwrap"),
        row(large.name, small.name),
        row(guarded.name, small.name),
      ]),
    );
    if (missing !== undefined) console.log(`sandbox-runtime was not measured: ${missing}`);

    const over = (name: string, target: number): BenchLimit => {
      const base = times(small.name);
      return { name: `${name}, over the small one`, figure: median(times(name).map((time, round) => time - (base[round] ?? Number.NaN))), unit: "ms", target };
    };
    const limits = [
      over(large.name, 100),
      over(guarded.name, 60),
      ...(await growth(home, small)),
    ];
    console.log(renderLimits(limits));
  } finally {
    await runtime?.close();
    await backend.close();
    rmSync(home, { recursive: true, force: true });
  }
}

/** Nothing that a session keeps may grow with its calls. */
async function growth(home: string, workspace: WorkspaceBench): Promise<readonly BenchLimit[]> {
  const calls = async (): Promise<void> => {
    for (let call = 0; call < callsWatched; call += 1) await workspace.throughTool(command);
    await delay(settledAfterMs);
  };
  await calls();
  const [files, heap] = [stateFiles(home), heldHeapBytes()];
  await calls();
  return [
    { name: `files of the state home, ${callsWatched} calls later`, figure: stateFiles(home) - files, unit: "more", target: 0 },
    { name: `heap held, ${callsWatched} calls later, a call`, figure: (heldHeapBytes() - heap) / callsWatched, unit: "bytes", target: 1024 },
  ];
}

function stateFiles(home: string): number {
  return readdirSync(join(home, ".fencepost"), { recursive: true }).length;
}
