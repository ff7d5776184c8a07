import { randomBytes } from "node:crypto";
import { closeSync, constants, openSync, unlinkSync, writeSync } from "node:fs";
import { join } from "node:path";
import { makeDirectory } from "../backend/make-directory.ts";

/** An open file without a name that holds these bytes, ready to be read from its start. */
export function unnamedFile(bytes: Uint8Array, stateHome: string): number {
  const directory = join(stateHome, "sandbox");
  makeDirectory(directory);
  const path = join(directory, `handed-${randomBytes(8).toString("hex")}`);
  const writing = openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, 0o600);
  try {
    for (let at = 0; at < bytes.length; at += writeSync(writing, bytes, at));
    return openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  } finally {
    closeSync(writing);
    unlinkSync(path);
  }
}
