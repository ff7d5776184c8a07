/** What a session lets calls write without asking, from narrower to wider. */
export const sandboxModes = ["accept-edits", "auto"] as const;

/** `auto`: file tools and commands write the workspace. `accept-edits`: file tools only. There is no third mode. */
export type SandboxMode = (typeof sandboxModes)[number];

/** The narrower of two modes: what a child session gets of its parent's mode and its role's ceiling. */
export function narrowerMode(left: SandboxMode, right: SandboxMode): SandboxMode {
  return sandboxModes.indexOf(left) <= sandboxModes.indexOf(right) ? left : right;
}
