import { forDisplay, toBytes, type BytePath } from "../backend/byte-path.ts";
import { namedPathsInNote } from "../limits.ts";
import { isBelow } from "../policy/paths.ts";
import type { SweepFindings } from "./sweep.ts";

/** What the model reads at the end of a result whose command did what the kernel alone could not refuse. */
export function sweepNotes(found: SweepFindings, directory: string, workspaceRoot: string): readonly string[] {
  const root = toBytes(workspaceRoot);
  const lines: string[] = [];
  const { moved, restored, stuck } = found;
  if (restored.length > 0) {
    lines.push(`[sandbox: ${restored.length} protected paths were changed and have been put back; what they had become was moved to ${directory}: ${named(restored, root)}]`);
  }
  if (stuck.length > 0) {
    lines.push(`[sandbox: ${stuck.length} protected paths could not be put in order and must be looked at by the user: ${named(stuck, root)}]`);
  }
  if (moved.length > 0) lines.push(`[sandbox: ${moved.length} new protected paths were moved to ${directory}: ${named(moved, root)}]`);
  return lines;
}

function named(paths: readonly BytePath[], root: BytePath): string {
  return paths.slice(0, namedPathsInNote).map((path) => forDisplay(isBelow(path, root) ? path.slice(root.length + 1) : path)).join(", ");
}
