import { readFileSync } from "node:fs";
import { isUnder, joinPath, unique } from "../paths.ts";
import { parseMountInfo, type MountLine } from "./mount-info.ts";

/**
 * Names that these places have besides, because the machine shows a directory of a file system at several points, as
 * WSL shows its root below `/mnt/wslg/distro`. Linux only; none where the kernel does not tell.
 *
 * @param paths canonical; they need not exist
 */
export function mountAliases(paths: readonly string[], mountInfo: string = ownMountInfo()): readonly string[] {
  const mounts = parseMountInfo(mountInfo);
  return unique(paths.flatMap((path) => aliasesOf(path, mounts))).filter((alias) => !paths.includes(alias));
}

function aliasesOf(path: string, mounts: readonly MountLine[]): readonly string[] {
  const own = mountOf(path, mounts);
  if (own === undefined) return [];
  const place = moved(path, own.point, own.root);
  return mounts.flatMap((mount) => {
    if (mount === own || mount.device !== own.device) return [];
    // A mount may show what the place is in, or a part of it.
    if (isUnder(place, mount.root)) return [moved(place, mount.root, mount.point)];
    return isUnder(mount.root, place) ? [mount.point] : [];
  });
}

/** The last one covers those before it. */
function mountOf(path: string, mounts: readonly MountLine[]): MountLine | undefined {
  return mounts.reduce<MountLine | undefined>((best, mount) => (isUnder(path, mount.point) && mount.point.length >= (best?.point.length ?? 0) ? mount : best), undefined);
}

function moved(path: string, from: string, to: string): string {
  const rest = path.slice(from === "/" ? 1 : from.length + 1);
  return rest === "" ? to : joinPath(to, rest);
}

function ownMountInfo(): string {
  try {
    return process.platform === "linux" ? readFileSync("/proc/self/mountinfo", "utf8") : "";
  } catch {
    return "";
  }
}
