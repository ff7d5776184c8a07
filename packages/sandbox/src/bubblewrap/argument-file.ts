import { Buffer } from "node:buffer";
import { randomBytes } from "node:crypto";
import { closeSync, constants, openSync, unlinkSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { BytePath } from "../backend/byte-path.ts";
import { makeDirectory } from "../backend/make-directory.ts";

/** An open file without a name that holds the arguments, each ended by a NUL, ready to be read from its start. */
export function argumentFile(args: readonly BytePath[], stateHome: string): number {
  const directory = join(stateHome, "sandbox");
  makeDirectory(directory);
  const path = join(directory, `args-${randomBytes(8).toString("hex")}`);
  const writing = openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, 0o600);
  try {
    const bytes = Buffer.from(args.map((arg) => `${arg}\0`).join(""), "latin1");
    for (let at = 0; at < bytes.length; at += writeSync(writing, bytes, at));
    return openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  } finally {
    closeSync(writing);
    unlinkSync(path);
  }
}
