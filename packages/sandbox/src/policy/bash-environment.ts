import type { SandboxEnvironment } from "./environment.ts";
import { joinPath } from "./paths.ts";

/** Variables a command needs so that its caches land where it may write. They override the user's. */
export function bashEnvironment(environment: Pick<SandboxEnvironment, "tempRoots">): Readonly<Record<string, string>> {
  const temp = environment.tempRoots.at(-1);
  return temp === undefined ? {} : { GOCACHE: joinPath(temp, "fencepost/go-build") };
}
