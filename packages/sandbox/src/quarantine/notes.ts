import { forDisplay, toBytes, type BytePath } from "../backend/byte-path.ts";
import { namedPathsInNote } from "../limits.ts";
import { isBelow } from "../policy/paths.ts";
import type { SweepFindings } from "./sweep.ts";

/** What the model reads at the end of a result whose command did what the kernel alone could not refuse. */
export function sweepNotes(found: SweepFindings, directory: string, workspaceRoot: string, speaker = "sandbox"): readonly string[] {
  const root = toBytes(workspaceRoot);
  const lines: string[] = [];
  const { moved, restored, stuck, aside } = found;
  if (restored.length > 0) {
    lines.push(`[${speaker}: ${restored.length} protected paths were changed and have been put back; what they had become was moved to ${directory}: ${named(restored, root)}]`);
  }
  if (stuck.length > 0) {
    lines.push(`[${speaker}: ${stuck.length} protected paths could not be put in order and must be looked at by the user: ${named(stuck, root)}]`);
  }
  if (aside.length > 0) {
    lines.push(`[${speaker}: ${aside.length} new protected paths could not be moved to quarantine and were renamed where they are, to fencepost-set-aside-…: ${named(aside, root)}]`);
  }
  if (moved.length > 0) lines.push(`[${speaker}: ${moved.length} new protected paths were moved to ${directory}: ${named(moved, root)}]`);
  return lines;
}

/** The same behind a host that was killed, with what somebody else made or changed since then. */
export function recoveryNotes(found: SweepFindings, spared: readonly BytePath[], directory: string, workspaceRoot: string): readonly string[] {
  const root = toBytes(workspaceRoot);
  const speaker = `sandbox: behind a run in ${forDisplay(root)} whose host was killed`;
  const left = spared.length === 0 ? [] : [`[${speaker}: ${spared.length} protected paths are newer than the run and were left as they are: ${named(spared, root)}]`];
  return [...sweepNotes(found, directory, workspaceRoot, speaker), ...left];
}

/** Nobody in the sandbox can rename over a mounted file. Who did may also have written what is there now. */
export function replacedNotes(paths: readonly BytePath[], workspaceRoot: string): readonly string[] {
  if (paths.length === 0) return [];
  return [`[sandbox: ${paths.length} protected paths were replaced from outside while the command ran, and it could write them since then: ${named(paths, toBytes(workspaceRoot))}]`];
}

function named(paths: readonly BytePath[], root: BytePath): string {
  return paths.slice(0, namedPathsInNote).map((path) => forDisplay(isBelow(path, root) ? path.slice(root.length + 1) : path)).join(", ");
}
