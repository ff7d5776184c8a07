import type { SeatbeltProfile } from "./profile.ts";

/** Never looked up: a workspace can lead `$PATH`. */
export const sandboxExecPath = "/usr/bin/sandbox-exec";

export function runnerArguments(profile: SeatbeltProfile, argv: readonly string[]): readonly string[] {
  const parameters = Object.entries(profile.parameters).flatMap(([name, value]) => ["-D", `${name}=${value}`]);
  return ["-p", profile.text, ...parameters, "--", ...argv];
}
