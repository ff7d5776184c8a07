import { toolErrorCodes, toolStatuses, type JsonSchema, type ToolDefinition } from "@fencepost/contract";
import type { Tool } from "@modelcontextprotocol/server";
import { toolAnnotations } from "./tool-annotations.ts";

/** A tool as `tools/list` shows it. */
export function toolEntry(definition: ToolDefinition, structured: boolean): Tool {
  return {
    name: definition.id,
    description: definition.description,
    inputSchema: { ...definition.inputSchema, type: "object" },
    ...(structured && { outputSchema: outputSchema(definition.resultSchema ?? anyJson) }),
    annotations: toolAnnotations(definition),
  };
}

/** Of a tool that promises nothing. */
const anyJson = { type: ["object", "array", "string", "number", "boolean", "null"] };

/** What `structuredContent` holds: the same frame for every tool, its own data inside. */
function outputSchema(data: JsonSchema): NonNullable<Tool["outputSchema"]> {
  return {
    type: "object",
    properties: {
      status: { type: "string", enum: [...toolStatuses] },
      text: { type: "string", description: "What the content says" },
      sandboxDenied: { type: "boolean", description: "Access was refused that an approved retry could get" },
      data,
      error: {
        type: "object",
        properties: {
          code: { type: "string", enum: [...toolErrorCodes] },
          message: { type: "string" },
          retryable: { type: "boolean" },
          details: { type: "object" },
          recoveryHint: { type: "string" },
        },
        required: ["code", "message", "retryable"],
        additionalProperties: false,
      },
    },
    required: ["status", "text", "sandboxDenied"],
    additionalProperties: false,
  };
}
