import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { openSession, type Session } from "@fencepost/core";

const defaultCalls = 10_000;

/** How much more memory than at its start a session may hold at its end. */
const maxGrowth = 1.1;

interface Sample {
  readonly calls: number;
  /** Both in bytes, after a collection. */
  readonly resident: number;
  readonly heap: number;
  readonly descriptors: number;
  readonly processes: number;
}

/** Short calls in one session: what it holds of memory, descriptors and processes must not grow with them. */
export async function run([given]: readonly string[]): Promise<void> {
  const calls = Number(given ?? defaultCalls);
  const home = mkdtempSync(join(homedir(), ".fencepost-endurance-"));
  process.env["HOME"] = home;
  const workspace = join(home, "workspace");
  mkdirSync(workspace);
  const session = await openSession({ workspace, approvals: "allow-all", approver: { decide: async () => "allow" } });
  try {
    console.log("calls   resident  heap      descriptors  processes  (memory in MB)");
    report(await measure(session, calls));
  } finally {
    await session.close();
    rmSync(home, { recursive: true, force: true });
  }
}

/** Ten samples, each printed when it is taken; the first after a tenth of the calls, when everything that is made once has been made. */
async function measure(session: Session, calls: number): Promise<readonly Sample[]> {
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  const samples: Sample[] = [];
  for (let done = 1; done <= calls; done += 1) {
    const result = await session.call({ callId: `call-${done}`, toolId: "bash", input: { command: `echo ${done}; exit ${done % 2}` } });
    if (result.status !== "succeeded") throw new Error(JSON.stringify(result.content));
    if (done % Math.max(1, Math.floor(calls / 10)) !== 0) continue;
    collect();
    const sample = { calls: done, resident: process.memoryUsage.rss(), heap: process.memoryUsage().heapUsed, descriptors: readdirSync("/proc/self/fd").length, processes: childCount() };
    print(sample);
    samples.push(sample);
  }
  return samples;
}

function print({ calls, resident, heap, descriptors, processes }: Sample): void {
  console.log(`${String(calls).padEnd(8)}${megabytes(resident)}${megabytes(heap)}${String(descriptors).padEnd(13)}${processes}`);
}

function childCount(): number {
  const children = readFileSync(`/proc/self/task/${process.pid}/children`, "latin1").trim();
  return children === "" ? 0 : children.split(" ").length;
}

function report(samples: readonly Sample[]): void {
  const [first, last] = [samples[0], samples.at(-1)];
  if (!first || !last) return;
  const ratio = last.resident / first.resident;
  // A batch of unused pipes may be fuller at one moment than at another.
  const unusedPipeEnds = 16;
  const flat = ratio <= maxGrowth && last.descriptors <= first.descriptors + unusedPipeEnds && last.processes <= first.processes;
  console.log(`resident memory ${ratio.toFixed(3)}x of the first sample (<= ${maxGrowth}x), heap ${(last.heap / first.heap).toFixed(3)}x: ${flat ? "flat" : "GROWS"}`);
  if (!flat) process.exitCode = 1;
}

function megabytes(bytes: number): string {
  return (bytes / 1024 ** 2).toFixed(1).padEnd(10);
}
