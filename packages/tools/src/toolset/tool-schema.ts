import { escalationProperties, modelSchema, type JsonSchema } from "@fencepost/contract";
import type { SessionTool } from "./finalized-toolset.ts";

/** The input schema a model is shown, frozen. The escalation parameters are in it only where they can be used. */
export function toolSchema(tool: SessionTool, canEscalate: boolean): JsonSchema {
  const schema = tool.inputSchema;
  if (!tool.escalates || !canEscalate) return deepFreeze(modelSchema(schema));
  return deepFreeze(modelSchema({ ...schema, properties: { ...schema.properties, ...escalationProperties } }));
}

function deepFreeze<Value extends object>(value: Value): Value {
  const inside: readonly unknown[] = Object.values(value);
  for (const inner of inside) if (typeof inner === "object" && inner !== null) deepFreeze(inner);
  return Object.freeze(value);
}
