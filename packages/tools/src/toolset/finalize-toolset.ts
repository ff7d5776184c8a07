import { createValidator, failed, modelSchema, type ToolDefinition } from "@fencepost/contract";
import type { SessionContext } from "../context/session-context.ts";
import { approvalNeeded } from "./approval-needed.ts";
import { executeCall } from "./execute-call.ts";
import type { FinalizedToolset, SessionTool } from "./finalized-toolset.ts";
import { prepareCall, type CallableTool } from "./prepare-call.ts";
import { toolSchema } from "./tool-schema.ts";

/** The chosen tools of one session. What is advertised and what can be called come from the same list, made once. */
export function finalizeToolset(chosen: readonly SessionTool[], session: SessionContext): FinalizedToolset {
  const definitions: ToolDefinition[] = [];
  const callable = new Map<string, CallableTool>();
  for (const tool of chosen) {
    const inputSchema = toolSchema(tool, session.sandbox.available);
    definitions.push(
      Object.freeze({
        id: tool.id,
        description: tool.description,
        inputSchema,
        riskHint: tool.risk,
        ...(tool.resultSchema && { resultSchema: modelSchema(tool.resultSchema) }),
      }),
    );
    callable.set(tool.id, { tool, validate: createValidator(inputSchema), takesEscalation: tool.escalates && session.sandbox.available });
  }
  const toolset: FinalizedToolset = {
    definitions: Object.freeze(definitions),
    session,
    has: (toolId) => callable.has(toolId),
    tool: (toolId) => callable.get(toolId)?.tool,
    prepare: (request, policy) => prepareCall(callable, session, request, policy),
    execute: (prepared, call) => executeCall(callable, session, prepared, call),
    async call(request, call) {
      const prepared = await prepareCall(callable, session, request, call.policy);
      if (prepared.kind === "refused") return prepared.result;
      const needed = approvalNeeded(prepared);
      return needed === undefined ? executeCall(callable, session, prepared, call) : failed("permission_denied", needed);
    },
  };
  return Object.freeze(toolset);
}
