import { readFileSync } from "node:fs";

/** Names this process so that a later one can tell whether it still lives: pid, start, boot. */
export function currentOwner(): string {
  return [process.pid, startOf(process.pid), bootId()].join(" ");
}

/** Whether the process that wrote this name is gone. A number used again by another process does not count as alive. */
export function isGone(owner: string): boolean {
  const [pidText = "", start = "", boot = ""] = owner.split(" ");
  const pid = Number(pidText);
  if (!Number.isSafeInteger(pid) || pid <= 0 || boot !== bootId()) return true;
  return !isAlive(pid) || startOf(pid) !== start;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it is there, and another user's.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** In ticks since the boot; "-" where the system does not say. The name in parentheses may hold anything. */
function startOf(pid: number): string {
  const stat = readText(`/proc/${pid}/stat`);
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const zombieOrDead = fields[0] === "Z" || fields[0] === "X";
  return zombieOrDead ? "gone" : (fields[startTimeField] ?? "-");
}

/** The 22nd field of the line is the 20th after the name. */
const startTimeField = 19;

function bootId(): string {
  return readText("/proc/sys/kernel/random/boot_id").trim() || "-";
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
