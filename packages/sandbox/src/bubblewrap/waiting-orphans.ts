import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { gateDescriptor } from "./arguments.ts";

/** Part of the names of FIFOs, by which a gate is known once it has no name any more. */
const gateName = "/fencepost-fifos-";

/**
 * Ends processes 1 of sandboxes that wait at their gate although their runner is gone, and the host with it. One that
 * has its runner is left alone, whoever hosts it.
 */
export function endWaitingOrphans(): void {
  if (process.platform !== "linux") return;
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name)).map(Number)) {
    try {
      if (readlinkSync(`/proc/${pid}/fd/${gateDescriptor}`).includes(gateName) && isOrphan(pid)) process.kill(pid, "SIGKILL");
    } catch {
      // Another user's, or gone meanwhile.
    }
  }
}

function isOrphan(pid: number): boolean {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const parent = /^PPid:\t(\d+)$/m.exec(status)?.[1];
  const isFirst = /^NSpid:(?:\t\d+)+\t1$/m.test(status);
  return isFirst && nameOf(String(pid)) === runnerName && nameOf(parent) !== runnerName;
}

const runnerName = "bwrap";

function nameOf(pid: string | undefined): string {
  return readFileSync(`/proc/${pid ?? ""}/comm`, "utf8").trim();
}
