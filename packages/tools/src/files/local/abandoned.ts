import { statSync } from "node:fs";
import { isLeftAside } from "../aside-name.ts";

/** A process of another machine or container cannot be asked after; so long after its last sign, in milliseconds, it is taken for gone. */
export const foreignOwnerMs = 300_000;

/** Whether nobody will come back to a file that was put aside. */
export function isAbandoned(path: string): boolean {
  return isLeftAside(path) ?? ageMs(path) > foreignOwnerMs;
}

/** How long ago a file was written; 0 where it is gone. */
export function ageMs(path: string): number {
  try {
    return Date.now() - statSync(path).mtimeMs;
  } catch {
    return 0;
  }
}
