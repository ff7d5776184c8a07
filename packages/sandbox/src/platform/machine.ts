import { accessSync, constants, lstatSync, readFileSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { mayUse } from "../backend/may-use.ts";
import { findRunner, type RunnerSearch } from "../bubblewrap/find-runner.ts";

/** What the doctor looks at. Replaced in tests: no machine has all of these faults. */
export interface Machine {
  readonly platform: string;
  /** The effective user; undefined where there are none. */
  readonly uid: number | undefined;
  /** As in the environment. */
  readonly xdgRuntimeDirectory: string | undefined;
  runner(): RunnerSearch;
  /** Undefined: not there, or not readable. */
  textOf(path: string): string | undefined;
  exists(path: string): boolean;
  ownerOf(path: string): number | undefined;
  isSetuid(path: string): boolean;
  isExecutable(path: string): boolean;
  /** The code of the error that writing below the directory would meet; undefined: it can be written, or made. */
  writeError(directory: string): string | undefined;
}

const setuidBit = 0o4000;

export function thisMachine(): Machine {
  return {
    platform: process.platform,
    uid: process.geteuid?.(),
    xdgRuntimeDirectory: process.env["XDG_RUNTIME_DIR"],
    runner: () => findRunner(),
    textOf: (path) => attempt(() => readFileSync(path, "latin1").trim()),
    exists: (path) => attempt(() => lstatSync(path)) !== undefined,
    ownerOf: (path) => attempt(() => statSync(path).uid),
    isSetuid: (path) => ((attempt(() => statSync(path).mode) ?? 0) & setuidBit) !== 0,
    isExecutable: (path) => mayUse(path, constants.X_OK),
    writeError,
  };
}

/** Asked of the nearest directory that exists. Nothing is made. */
function writeError(directory: string): string | undefined {
  for (let at = directory; ; at = dirname(at)) {
    try {
      accessSync(at, constants.W_OK | constants.X_OK);
      return statSync(at).isDirectory() ? undefined : "ENOTDIR";
    } catch (error) {
      const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
      if (code !== "ENOENT" || at === "/") return code;
    }
  }
}

function attempt<Value>(look: () => Value): Value | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
