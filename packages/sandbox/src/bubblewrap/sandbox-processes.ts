import { readFileSync } from "node:fs";
import { groupField, hasEnded, isProcessRunning, ownProcess, startField, stateField, statFields, type ProcessIdentity } from "../backend/process-identity.ts";

/** Undefined: no such process (any more). A zombie runs nothing and counts as gone. */
export function identify(pid: number): ProcessIdentity | undefined {
  const fields = statFields(pid);
  const started = fields?.[startField];
  return fields === undefined || started === undefined || hasEnded(fields) ? undefined : { pid, started, place: ownProcess().place };
}

export function isAlive(process: ProcessIdentity): boolean {
  return isProcessRunning(process) === true;
}

/** Neither stopped nor ended: it may still do something. */
export function mayAct(pid: number): boolean {
  const state = statFields(pid)?.[stateField];
  return state !== undefined && !/^[TtZX]/.test(state);
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
  const fields = statFields(pid);
  return fields && Number(fields[groupField]);
}

function namespacePid(pid: number): string | undefined {
  return /^NSpid:.*\t(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1];
}
