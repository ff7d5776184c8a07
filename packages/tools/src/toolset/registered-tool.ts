import { effectiveRisk, normaliseCapabilities, toolRisks, type ToolRisk } from "@fencepost/contract";
import type { SessionTool } from "./finalized-toolset.ts";

/**
 * A tool as the registry keeps it: taken out of the hands of whoever made it, so that nothing changes afterwards, and
 * with the risk and capabilities that count instead of the ones it claims.
 */
export function registeredTool(tool: SessionTool): SessionTool {
  const capabilities = normaliseCapabilities(tool.capabilities);
  return Object.freeze({
    id: tool.id,
    description: tool.description,
    risk: effectiveRisk(knownRisk(tool.risk), capabilities),
    capabilities: Object.freeze([...capabilities]),
    family: tool.family,
    stability: tool.stability,
    inputSchema: tool.inputSchema,
    ...(tool.resultSchema && { resultSchema: tool.resultSchema }),
    examples: tool.examples,
    escalates: tool.escalates,
    inspect: tool.inspect.bind(tool),
    execute: tool.execute.bind(tool),
  });
}

/** A risk nobody knows counts as the highest. */
function knownRisk(declared: unknown): ToolRisk {
  return toolRisks.find((risk) => risk === declared) ?? "process_execution";
}
