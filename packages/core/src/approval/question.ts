import { effectiveRisk, type ToolRisk } from "@fencepost/contract";
import type { PreparedCall } from "@fencepost/tools";
import type { PermissionRequest } from "./approver.ts";
import type { ApprovalPreset } from "./preset.ts";

type Question = PermissionRequest["kinds"][number];

/** Why this call needs a yes. Empty: it needs none. */
export function questionsFor(prepared: PreparedCall, preset: ApprovalPreset): readonly Question[] {
  const questions: Question[] = [];
  if (prepared.escalation) questions.push("escalation");
  if (prepared.danger) questions.push("dangerous");
  if (preset === "always-ask" || (preset === "read-only" && riskOf(prepared) !== "read_only")) questions.push("call");
  return questions;
}

/** What the call can change: the tool's own word, raised by its capabilities and by what this input does. */
export function riskOf(prepared: Pick<PreparedCall, "tool" | "facts">): ToolRisk {
  const declared = effectiveRisk(prepared.tool.risk, prepared.tool.capabilities);
  if (prepared.facts.kind === "runs") return "process_execution";
  if (prepared.facts.kind === "writes" && declared === "read_only") return "workspace_mutation";
  return declared;
}
