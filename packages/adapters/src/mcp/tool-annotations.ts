import type { ToolDefinition } from "@fencepost/contract";
import type { ToolAnnotations } from "@modelcontextprotocol/server";

/** What the risk alone says: the worst that such a tool can do. */
const hintsOfRisk = {
  read_only: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  workspace_mutation: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  process_execution: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
} as const;

/** Where a tool is known to be better than its risk. */
const knownBetter: Readonly<Record<string, Partial<ToolAnnotations>>> = {
  write: { idempotentHint: true },
  rename_file: { destructiveHint: false },
  update_plan: { destructiveHint: false, idempotentHint: true },
  command_input: { destructiveHint: false },
  resize_command_pty: { destructiveHint: false, idempotentHint: true, openWorldHint: false },
  cancel_command: { idempotentHint: true, openWorldHint: false },
};

/** All four hints, always: a client takes a missing one for the worst. */
export function toolAnnotations({ id, riskHint }: Pick<ToolDefinition, "id" | "riskHint">): ToolAnnotations {
  return { ...hintsOfRisk[riskHint], ...knownBetter[id] };
}
