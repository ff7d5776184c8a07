import { randomBytes } from "node:crypto";
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export function quarantineRoot(stateHome: string): string {
  return join(stateHome, "quarantine");
}

/** Replaces a file of our own state: readers see the old or the new content, never a part. */
export function writeStateFile(path: string, text: string): void {
  const temporary = `${path}.${randomBytes(6).toString("hex")}.new`;
  try {
    writeFileSync(temporary, text, { mode: 0o600, flag: "wx" });
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
