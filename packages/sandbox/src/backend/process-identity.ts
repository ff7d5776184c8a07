import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/** Names one process for good: a pid alone is used again. For records on disk that other processes read. */
export interface ProcessIdentity {
  readonly pid: number;
  /** When it started, in the kernel's ticks since boot; "0" where the platform does not tell. */
  readonly started: string;
  /** Machine, boot and pid namespace: a pid of another one says nothing here. */
  readonly place: string;
}

let own: ProcessIdentity | undefined;

export function ownProcess(): ProcessIdentity {
  own ??= { pid: process.pid, started: statFields(process.pid)?.[startField] ?? "0", place: ownPlace() };
  return own;
}

/**
 * Whether a process still runs; undefined where it lives in another place and nobody here can tell. A zombie has ended,
 * and so has all that ran on this machine before it was started anew.
 */
export function isProcessRunning(identity: ProcessIdentity): boolean | undefined {
  const here = ownProcess().place;
  if (identity.place !== here) return isEarlierBoot(identity.place, here) ? false : undefined;
  try {
    process.kill(identity.pid, 0);
  } catch (error) {
    // EPERM: it is there, and another user's.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
  const fields = statFields(identity.pid);
  if (fields === undefined) return process.platform !== "linux";
  return !hasEnded(fields) && (identity.started === "0" || fields[startField] === identity.started);
}

/** Positions in `statFields`. */
export const stateField = 0;
export const groupField = 2;
export const startField = 19;

/** Linux only: what the kernel says of a process, from the field after its name on; undefined: no such process. */
export function statFields(pid: number): readonly string[] | undefined {
  try {
    // As UTF-8, because Node reads a file that tells no size in one step only so.
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name in brackets may hold anything, also ") Z": count from the last one.
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch {
    return undefined;
  }
}

/** Runs nothing any more, though its parent has not asked for its end yet. */
export function hasEnded(fields: readonly string[]): boolean {
  return fields[stateField] === "Z" || fields[stateField] === "X";
}

/** `machine|boot|namespace`; only the machine's name where the system does not tell more. */
function ownPlace(): string {
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim();
    return [`${hostname()}/${machineId()}`, boot, readlinkSync("/proc/self/ns/pid")].join("|");
  } catch {
    return hostname();
  }
}

/** A home may be shared by machines: those of the same name differ in this. */
function machineId(): string {
  try {
    return readFileSync("/etc/machine-id", "latin1").trim();
  } catch {
    return "";
  }
}

function isEarlierBoot(place: string, here: string): boolean {
  const [machine, boot, namespace] = place.split("|");
  const [ownMachine, ownBoot] = here.split("|");
  return namespace !== undefined && machine === ownMachine && boot !== ownBoot;
}
