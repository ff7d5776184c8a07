import type { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import type { BytePath } from "../backend/byte-path.ts";
import { maxKeptFileBytes } from "../limits.ts";
import { inParent } from "./directory-handle.ts";
import { readEntry } from "./move-entry.ts";

export function contentHash(content: Buffer): string {
  return createHash("sha256").update(content).digest("hex");
}

/** Of a file's content; undefined where there is no regular file, or one too large to keep. */
export function hashAt(path: BytePath): string | undefined {
  const content = inParent(path, (parent, name) => readEntry(parent, name, maxKeptFileBytes));
  return content === undefined ? undefined : contentHash(content);
}
