import type { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { lstatSync, readlinkSync } from "node:fs";
import { forFs, type BytePath } from "../backend/byte-path.ts";
import { kindAt } from "../backend/entry-at.ts";
import { maxKeptFileBytes } from "../limits.ts";
import { inParent } from "./directory-handle.ts";
import { readEntry } from "./move-entry.ts";

export function contentHash(content: Buffer): string {
  return createHash("sha256").update(content).digest("hex");
}

/** What stands at a path, so that it shows when something else does: a file by its content, a link by its target. */
export function stateAt(path: BytePath): string {
  const kind = kindAt(path);
  if (kind === undefined) return "absent";
  if (kind === "link") return `link to ${readlinkSync(forFs(path), "latin1")}`;
  if (kind !== "file") return kind;
  const content = inParent(path, (parent, name) => readEntry(parent, name, maxKeptFileBytes));
  return content === undefined ? largeFileAt(path) : contentHash(content);
}

/** Too much to read at the end of each call: known by what changes with every write. */
function largeFileAt(path: BytePath): string {
  const stats = lstatSync(forFs(path), { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? "absent" : `file ${stats.dev}:${stats.ino} of ${stats.size} bytes, ${stats.ctimeNs}`;
}
