import { randomBytes } from "node:crypto";
import { isProcessRunning, ownProcess } from "@fencepost/sandbox";
import { sha256 } from "./hash.ts";

const pattern = /\.(\d+)-(\d+)-([0-9a-f]{8})-[0-9a-f]{8}\.(?:new|stale)$/;

/**
 * A name beside `path` for a file that is about to get its name, or just lost it. It says who made it: what a killed
 * process leaves is known by it, also where nothing was written yet.
 */
export function asideName(path: string, kind: "new" | "stale"): string {
  const { pid, started } = ownProcess();
  return `${path}.${pid}-${started}-${placeMark(ownProcess().place)}-${randomBytes(4).toString("hex")}.${kind}`;
}

export function isAsideName(name: string): boolean {
  return pattern.test(name);
}

/** Whether the maker of such a file is gone; undefined where nobody here can tell. */
export function isLeftAside(name: string): boolean | undefined {
  const [, pid, started = "", mark] = pattern.exec(name) ?? [];
  const { place } = ownProcess();
  if (pid === undefined || mark !== placeMark(place)) return undefined;
  return isProcessRunning({ pid: Number(pid), started, place }) === false;
}

function placeMark(place: string): string {
  return sha256(Buffer.from(place)).slice(0, 8);
}
