import { capabilities, type Capability } from "./capability.ts";

/** How much a call can change, from least to most. */
export const toolRisks = ["read_only", "workspace_mutation", "process_execution"] as const;

export type ToolRisk = (typeof toolRisks)[number];

const riskFloors: Readonly<Record<Capability, ToolRisk>> = {
  "filesystem.read": "read_only",
  "filesystem.write": "workspace_mutation",
  "process.execute": "process_execution",
  network: "process_execution",
  credentials: "process_execution",
  "external.side-effect": "process_execution",
  "session.read": "read_only",
  "session.write": "workspace_mutation",
  "agent.delegate": "read_only",
};

/**
 * The risk a host decides by: the declared risk, raised to the floor of every capability.
 * Missing, malformed or unknown capabilities count as all of them.
 *
 * @param declared what the tool says of itself
 * @param declaredCapabilities what the tool says it touches; third-party values are not trusted to be well formed
 * @param childRisk the risk of what an `agent.delegate` tool starts
 */
export function effectiveRisk(declared: ToolRisk, declaredCapabilities: unknown, childRisk: ToolRisk = "read_only"): ToolRisk {
  const known = normaliseCapabilities(declaredCapabilities);
  const floors = known.map((capability) => riskFloors[capability]);
  const delegated = known.includes("agent.delegate") ? [childRisk] : [];
  return [declared, ...floors, ...delegated].reduce(stricterRisk);
}

/** The capabilities as declared, or all of them if the declaration cannot be trusted. */
export function normaliseCapabilities(declared: unknown): readonly Capability[] {
  const trusted = Array.isArray(declared) && declared.length > 0 && declared.every(isCapability);
  return trusted ? declared : capabilities;
}

function isCapability(value: unknown): value is Capability {
  return capabilities.some((capability) => capability === value);
}

function stricterRisk(left: ToolRisk, right: ToolRisk): ToolRisk {
  return toolRisks.indexOf(left) >= toolRisks.indexOf(right) ? left : right;
}
