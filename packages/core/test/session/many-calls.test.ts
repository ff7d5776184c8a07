import { readdirSync, readFileSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { resultText } from "@fencepost/contract";
import { openSession } from "../../src/session/open-session.ts";
import { realWorkspace } from "../doubles/real-workspace.ts";

const place = realWorkspace();

/** The figures are the benchmark's: `pnpm bench endurance`. */
const calls = process.env["FENCEPOST_DEEP"] ? 10_000 : 200;

/** Unused pipes come in batches of eight. */
const unusedPipeEnds = 16;

/** Room for what the test runner itself collects meanwhile. */
const noiseBytes = 4 * 1024 * 1024;

interface Holding {
  readonly heap: number;
  readonly descriptors: number;
  readonly children: number;
}

function holding(): Holding {
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  collect();
  const children = readFileSync(`/proc/self/task/${process.pid}/children`, "latin1").trim().split(" ").filter((pid) => pid !== "");
  return { heap: process.memoryUsage().heapUsed, descriptors: readdirSync("/proc/self/fd").length, children: children.length };
}

// What a process holds is read from Linux's /proc.
it.runIf(process.platform === "linux")(`[P54] ${calls} short calls in one session: memory, descriptors and processes do not grow`, { timeout: 3_600_000 }, async () => {
  const session = await openSession({ workspace: place.path, approvals: "allow-all", approver: { decide: async () => "allow" } });
  const use = async (number: number): Promise<void> => {
    const result = await session.call({ callId: `call-${number}`, toolId: "bash", input: { command: `echo ${number}` } });
    expect(resultText(result)).toMatch(new RegExp(`^${number}\\n\\[exit 0;`));
  };
  for (let number = 1; number <= calls / 10; number += 1) await use(number);
  const before = holding();
  for (let number = calls / 10 + 1; number <= calls; number += 1) await use(number);
  const after = holding();
  await session.close();
  expect(after.heap).toBeLessThan(before.heap * 1.1 + noiseBytes);
  expect(after.descriptors).toBeLessThanOrEqual(before.descriptors + unusedPipeEnds);
  expect(after.children).toBeLessThanOrEqual(before.children);
});
