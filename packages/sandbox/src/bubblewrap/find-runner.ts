import { readFileSync, realpathSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { isUnder } from "../policy/paths.ts";

/** Where distributions put it. Never `$PATH`, which a workspace can lead. */
const runnerPaths = ["/usr/bin/bwrap", "/bin/bwrap", "/usr/local/bin/bwrap", "/run/current-system/sw/bin/bwrap", "/usr/sbin/bwrap"] as const;

const writableByOthersMode = 0o022;

export interface RunnerSearch {
  /** Undefined: none can be used. */
  readonly path: string | undefined;
  /** Runners that exist and cannot be trusted, and why. */
  readonly rejected: readonly { readonly path: string; readonly why: string }[];
}

/** The system's bwrap, which nobody but root can have replaced. `candidates`: absolute paths, best first. */
export function findRunner(candidates: readonly string[] = runnerPaths): RunnerSearch {
  const rejected: { path: string; why: string }[] = [];
  for (const candidate of candidates) {
    const real = realPath(candidate);
    if (real === undefined) continue;
    const why = distrust(real);
    if (why === undefined) return { path: real, rejected };
    rejected.push({ path: candidate, why });
  }
  return { path: undefined, rejected };
}

/** Where a user namespace knows no root, as in a sandbox, what belongs to root seems to belong to nobody. */
export function knowsNoRoot(): boolean {
  try {
    return !/^\s*0\s/m.test(readFileSync("/proc/self/uid_map", "latin1"));
  } catch {
    return false;
  }
}

/** Whether a command could replace the runner. */
export function isReplaceable(runner: string, writableRoots: readonly string[]): boolean {
  return writableRoots.some((root) => isUnder(runner, root));
}

function distrust(path: string): string | undefined {
  for (let at = path; ; at = dirname(at)) {
    const stats = statSync(at);
    if (stats.uid !== 0) return `${at} does not belong to root`;
    const sticky = stats.isDirectory() && (stats.mode & 0o1000) !== 0;
    if ((stats.mode & writableByOthersMode) !== 0 && !sticky) return `${at} can be written by others than root`;
    if (at === "/") return undefined;
  }
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}
