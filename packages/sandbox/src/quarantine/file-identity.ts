import { lstatSync } from "node:fs";
import { forFs, type BytePath } from "../backend/byte-path.ts";

/** Which file each path names: another one under the same name means that somebody has renamed over it. */
export type FileIdentities = ReadonlyMap<BytePath, string>;

export function fileIdentities(paths: readonly BytePath[]): FileIdentities {
  return new Map(paths.flatMap((path) => {
    const identity = identityOf(path);
    return identity === undefined ? [] : [[path, identity] as const];
  }));
}

/** Those that name another file by now. What is gone is not among them. */
export function replacedSince(before: FileIdentities): readonly BytePath[] {
  return [...before].filter(([path, identity]) => {
    const now = identityOf(path);
    return now !== undefined && now !== identity;
  }).map(([path]) => path);
}

function identityOf(path: BytePath): string | undefined {
  try {
    const { dev, ino } = lstatSync(forFs(path), { bigint: true });
    return `${dev}:${ino}`;
  } catch {
    return undefined;
  }
}
