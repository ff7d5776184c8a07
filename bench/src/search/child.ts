import { spawn } from "node:child_process";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { createLocalSearchBackend, type GrepMode } from "@fencepost/tools";
import { currentPeakBytes } from "../harness/index.ts";
import { ourGrep } from "./contenders.ts";
import type { BenchPattern } from "./patterns.ts";

/** Searches to run one after another in a process of their own. */
export interface ChildTask {
  readonly root: string;
  readonly patterns: readonly BenchPattern[];
  readonly mode: GrepMode;
  readonly rounds: number;
}

export interface ChildFigures {
  /** Of the first search, from the creation of the backend on. */
  readonly firstMs: number;
  readonly peakBytes: number;
  /** Delay of the event loop while searching, in milliseconds. */
  readonly delayP99Ms: number;
  readonly delayMaxMs: number;
}

/** Runs a task in a fresh process, so that nothing else counts. */
export function runInChild(task: ChildTask): Promise<ChildFigures> {
  const script = `import(${JSON.stringify(import.meta.url)}).then(({ child }) => child(${JSON.stringify(task)}))`;
  return new Promise((resolve, reject) => {
    const started = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "pipe", "inherit"] });
    let output = "";
    started.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      output += chunk;
    });
    started.once("error", reject);
    started.once("close", (code) => {
      const [firstMs = Number.NaN, peakBytes = Number.NaN, delayP99Ms = Number.NaN, delayMaxMs = Number.NaN] = output.split(" ").map(Number);
      if (code === 0) resolve({ firstMs, peakBytes, delayP99Ms, delayMaxMs });
      else reject(new Error(`the child ended with ${code}`));
    });
  });
}

/** What runs in that process. */
export async function child({ root, patterns, mode, rounds }: ChildTask): Promise<void> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const startedAt = performance.now();
  const backend = createLocalSearchBackend();
  let firstMs: number | undefined;
  for (let round = 0; round < rounds; round += 1) {
    for (const pattern of patterns) {
      await ourGrep(backend, root, pattern, mode).run();
      firstMs ??= performance.now() - startedAt;
    }
  }
  delay.disable();
  console.log([firstMs ?? 0, currentPeakBytes() ?? 0, delay.percentile(99) / 1e6, delay.max / 1e6].join(" "));
  await backend.close();
}
