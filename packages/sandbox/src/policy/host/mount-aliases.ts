import { readFileSync } from "node:fs";
import { toBytes, toText, type BytePath } from "../../backend/byte-path.ts";
import { parseMountInfo, type MountLine } from "../../backend/mount-info.ts";
import { isUnder, joinPath, unique } from "../paths.ts";

/**
 * Names that these places have besides, because the machine shows a directory of a file system at several points, as
 * WSL shows its root below `/mnt/wslg/distro`. Linux only; none where the kernel does not tell.
 *
 * @param paths canonical; they need not exist
 */
export function mountAliases(paths: readonly string[], mountInfo: string = ownMountInfo()): readonly string[] {
  const mounts = parseMountInfo(mountInfo);
  return unique(paths.map(toBytes).flatMap((path) => aliasesOf(path, mounts)).map(toText)).filter((alias) => !paths.includes(alias));
}

function aliasesOf(path: BytePath, mounts: readonly MountLine[]): readonly BytePath[] {
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
function mountOf(path: BytePath, mounts: readonly MountLine[]): MountLine | undefined {
  return mounts.reduce<MountLine | undefined>((best, mount) => (isUnder(path, mount.point) && mount.point.length >= (best?.point.length ?? 0) ? mount : best), undefined);
}

function moved(path: BytePath, from: BytePath, to: BytePath): BytePath {
  const rest = path.slice(from === "/" ? 1 : from.length + 1);
  return rest === "" ? to : joinPath(to, rest);
}

function ownMountInfo(): string {
  try {
    return process.platform === "linux" ? readFileSync("/proc/self/mountinfo", "latin1") : "";
  } catch {
    return "";
  }
}
