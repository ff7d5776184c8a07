import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/** Names one process for good: a pid alone is used again. */
export interface ProcessIdentity {
  readonly pid: number;
  /** When it started, in the kernel's ticks since boot; "0" where the platform does not tell. */
  readonly started: string;
  /** Machine and pid namespace: a pid of another one says nothing here. */
  readonly place: string;
}

let own: ProcessIdentity | undefined;

export function ownIdentity(): ProcessIdentity {
  own ??= { pid: process.pid, started: startTicks(process.pid) ?? "0", place: ownPlace() };
  return own;
}

/** Whether a process still runs; undefined where it lives in another place and nobody here can tell. */
export function isRunning(identity: ProcessIdentity): boolean | undefined {
  if (identity.place !== ownIdentity().place) return undefined;
  try {
    process.kill(identity.pid, 0);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
  const fields = statFields(identity.pid);
  if (fields === undefined) return process.platform !== "linux";
  if (fields[stateField] === "Z" || fields[stateField] === "X") return false;
  return identity.started === "0" || fields[startField] === identity.started;
}

/** Positions after the program name, which may itself hold spaces and brackets. */
const stateField = 0;
const startField = 19;

function startTicks(pid: number): string | undefined {
  return statFields(pid)?.[startField];
}

function statFields(pid: number): readonly string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch {
    return undefined;
  }
}

function ownPlace(): string {
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    return `${boot}:${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    return hostname();
  }
}
