import { builtinRegistry, defaultPreset } from "@fencepost/tools";
import { UsageError } from "../cli/usage-error.ts";

/** The default set, and what `--tools` adds to it: names, or `all`. */
export function chosenTools(given: string | undefined): readonly string[] {
  if (given === undefined) return defaultPreset.tools;
  const known = builtinRegistry().ids;
  const names = given === "all" ? known : given.split(",").map((name) => name.trim());
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new UsageError(`--tools names "${unknown}"; expected all, or of these with commas between: ${optional(known).join(", ")}`);
  return [...new Set([...defaultPreset.tools, ...names])];
}

/** Whether the tool exists, and a session has it only on request. */
export function isOptionalTool(id: string): boolean {
  return optional(builtinRegistry().ids).includes(id);
}

function optional(ids: readonly string[]): readonly string[] {
  return ids.filter((id) => !defaultPreset.tools.includes(id));
}
