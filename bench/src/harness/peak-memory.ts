import { readFileSync, writeFileSync } from "node:fs";

/** Forgets the peak so far. Only Linux can; elsewhere the peak is the process's since its start. */
export function resetPeak(): void {
  try {
    writeFileSync("/proc/self/clear_refs", "5");
  } catch {
    // Not Linux, or not allowed: `currentPeakBytes` then tells the larger figure, never a smaller one.
  }
}

/** The most memory this process has held since `resetPeak`, in bytes. */
export function currentPeakBytes(): number | undefined {
  try {
    const match = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8"));
    return match === null ? undefined : Number(match[1]) * 1024;
  } catch {
    return process.resourceUsage().maxRSS * 1024;
  }
}
