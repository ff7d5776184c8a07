import { randomBytes } from "node:crypto";
import { renameSync, writeFileSync } from "node:fs";

/** Replaces a file of our own state: readers see the old or the new content, never a part. */
export function writeStateFile(path: string, text: string): void {
  const temporary = `${path}.${randomBytes(6).toString("hex")}.new`;
  writeFileSync(temporary, text, { mode: 0o600, flag: "wx" });
  renameSync(temporary, path);
}
