import { randomBytes } from "node:crypto";
import { renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { isProcessRunning, ownProcess, type ProcessIdentity } from "../backend/process-identity.ts";
import { unknownWorldMs } from "../limits.ts";
import { readJsonLines } from "./json-lines.ts";

/** An unfinished claim that does not say whose it is. */
const unsignedClaimMs = 10_000;

/** Makes a file that says who sweeps behind a dead command. False: somebody else does, who still lives. */
export function claimRecovery(path: string): boolean {
  return makeClaim(path) || (takeStaleClaim(path) && makeClaim(path));
}

export function releaseClaim(path: string): void {
  rmSync(path, { force: true });
}

function makeClaim(path: string): boolean {
  try {
    writeFileSync(path, JSON.stringify(ownProcess()), { flag: "wx", mode: 0o600 });
    return true;
  } catch {
    return false;
  }
}

/** True: whoever claimed it is gone, and the claim with him. */
function takeStaleClaim(path: string): boolean {
  const [owner] = readJsonLines(path, isIdentity);
  const running = owner === undefined ? ageMs(path) < unsignedClaimMs : isProcessRunning(owner);
  if (running ?? ageMs(path) < unknownWorldMs) return false;
  const aside = `${path}.${randomBytes(6).toString("hex")}`;
  try {
    renameSync(path, aside);
  } catch {
    return false;
  }
  rmSync(aside, { force: true });
  return true;
}

function ageMs(path: string): number {
  try {
    return Date.now() - statSync(path).mtimeMs;
  } catch {
    return 0;
  }
}

function isIdentity(value: unknown): value is ProcessIdentity {
  return typeof value === "object" && value !== null && "pid" in value && typeof value.pid === "number" && "started" in value && typeof value.started === "string" && "place" in value && typeof value.place === "string";
}
