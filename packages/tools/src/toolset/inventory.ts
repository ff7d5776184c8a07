import { modelSchema, type JsonSchema, type ToolStability } from "@fencepost/contract";
import type { ToolRegistry } from "./tool-registry.ts";

/** Every registered tool as data, for hosts, documentation and the review of a change. Byte-stable. */
export interface Inventory {
  /** Of this file format, not of the tools. */
  readonly version: 1;
  /** What every result looks like: the same for all tools. */
  readonly resultEnvelope: readonly string[];
  readonly tools: readonly InventoryEntry[];
}

export interface InventoryEntry {
  readonly name: string;
  readonly family: string;
  readonly stability: ToolStability;
  readonly description: string;
  readonly risk: string;
  readonly capabilities: readonly string[];
  readonly escalates: boolean;
  readonly inputSchema: JsonSchema;
  /** Of `ToolResult.data`; null where a tool promises none. */
  readonly resultSchema: JsonSchema | null;
}

const resultEnvelope = ["status", "content", "artifacts", "error?", "sandboxDenied", "data?", "display?"] as const;

/** In the order of registration. */
export function toolInventory(registry: ToolRegistry): Inventory {
  const tools = registry.ids.flatMap((id) => registry.tool(id) ?? []);
  return {
    version: 1,
    resultEnvelope,
    tools: tools.map(({ id, family, stability, description, risk, capabilities, escalates, inputSchema, resultSchema }) => ({
      name: id,
      family,
      stability,
      description,
      risk,
      capabilities,
      escalates,
      inputSchema: modelSchema(inputSchema),
      resultSchema: resultSchema ? modelSchema(resultSchema) : null,
    })),
  };
}

/** The text of the checked-in file. */
export function inventoryText(inventory: Inventory): string {
  return `${JSON.stringify(inventory, null, 2)}\n`;
}
