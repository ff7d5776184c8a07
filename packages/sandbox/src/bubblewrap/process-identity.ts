import { readFileSync, readlinkSync } from "node:fs";

/** A process that cannot be mistaken for a later one with the same number. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Clock ticks since boot. */
  readonly startTime: string;
}

/** Undefined: no such process (any more). A zombie runs nothing and counts as gone. */
export function identify(pid: number): ProcessIdentity | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name in parentheses may hold anything, also ") Z": count from the last one.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const startTime = fields[19];
    return startTime === undefined || fields[0] === "Z" || fields[0] === "X" ? undefined : { pid, startTime };
  } catch {
    return undefined;
  }
}

/** Neither stopped nor ended: it may still do something. */
export function isRunning(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    return !/^[TtZX]/.test(stat.slice(stat.lastIndexOf(")") + 2));
  } catch {
    return false;
  }
}

export function isAlive(process: ProcessIdentity): boolean {
  return identify(process.pid)?.startTime === process.startTime;
}

/** The command itself: process 2 of the namespace whose process 1 is `init`. */
export function commandUnder(init: number): number | undefined {
  try {
    const children = readFileSync(`/proc/${init}/task/${init}/children`, "latin1").trim().split(" ");
    return children.map(Number).find((pid) => pid > 0 && namespacePid(pid) === "2");
  } catch {
    return undefined;
  }
}

/** The process group that a process belongs to. */
export function groupOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[2]);
  } catch {
    return undefined;
  }
}

function namespacePid(pid: number): string | undefined {
  return /^NSpid:.*\t(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1];
}

/** Names this boot and this process namespace: process numbers mean nothing outside both. */
export function processWorld(): string {
  world ??= `${readOr(() => readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim())} ${readOr(() => readlinkSync("/proc/self/ns/pid"))}`;
  return world;
}

let world: string | undefined;

function readOr(read: () => string): string {
  try {
    return read();
  } catch {
    return "unknown";
  }
}
