import { Buffer } from "node:buffer";
import { lstatSync, type BigIntStats } from "node:fs";
import { forFs, type BytePath } from "../backend/byte-path.ts";
import { isTrustedStamp, stampMs } from "../backend/trusted-stamp.ts";
import { maxKeptBytes, maxKeptFileBytes } from "../limits.ts";
import { inParent } from "./directory-handle.ts";
import { readEntry } from "./move-entry.ts";

/** What a protected file or link was before the command, enough to put it back. */
export type Kept =
  | { readonly kind: "file"; readonly path: BytePath; readonly content: Buffer; readonly mode: number; readonly owner: Owner; readonly stamp: Stamp | undefined }
  | { readonly kind: "link"; readonly path: BytePath; readonly target: BytePath };

export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/** Stays the same only while nobody touches the file: a ctime cannot be set. */
export interface Stamp {
  readonly device: bigint;
  readonly inode: bigint;
  readonly ctimeNs: bigint;
}

/** Remembers copies from call to call, so that an untouched file is read once. */
export class KeptCopies {
  #copies = new Map<BytePath, Kept>();

  /**
   * Copies of what is at these paths now; a limit in words where they would be too large together.
   *
   * @param paths just found by a walk that follows no link
   */
  take(paths: readonly BytePath[]): readonly Kept[] | { readonly limit: string } {
    const kept: Kept[] = [];
    let bytes = 0;
    for (const path of paths) {
      const one = this.#copy(path);
      if (one === undefined) continue;
      kept.push(one);
      bytes += one.kind === "file" ? one.content.length : one.target.length;
      if (bytes > maxKeptBytes) return { limit: `protected files of more than ${maxKeptBytes / 1024 / 1024} MiB in all would have to be copied` };
    }
    this.#copies = new Map(kept.map((one) => [one.path, one]));
    return kept;
  }

  #copy(path: BytePath): Kept | undefined {
    const known = this.#copies.get(path);
    if (known !== undefined && isUntouched(known)) return known;
    return inParent(path, (parent, name) => {
      const stats = parent.stats(name);
      if (stats === undefined) return undefined;
      if (stats.isSymbolicLink()) return { kind: "link", path, target: parent.readLink(name) };
      const startedMs = Date.now();
      const content = readEntry(parent, name, maxKeptFileBytes);
      if (content === undefined) return undefined;
      const trusted = isTrustedStamp(stampMs(stats.ctimeNs), startedMs);
      return { kind: "file", path, content, mode: Number(stats.mode), owner: { uid: Number(stats.uid), gid: Number(stats.gid) }, stamp: trusted ? { device: stats.dev, inode: stats.ino, ctimeNs: stats.ctimeNs } : undefined };
    });
  }
}

/** Whether nobody has touched the file, without going to it name by name: for a path that a walk has just found. */
export function isUntouched(kept: Kept): boolean {
  if (kept.kind !== "file" || kept.stamp === undefined) return false;
  try {
    return sameStamp(kept.stamp, lstatSync(forFs(kept.path), { bigint: true }));
  } catch {
    return false;
  }
}

export function sameStamp(stamp: Stamp | undefined, stats: BigIntStats): boolean {
  return stamp !== undefined && stats.isFile() && stats.dev === stamp.device && stats.ino === stamp.inode && stats.ctimeNs === stamp.ctimeNs;
}
