import type { FinalizedToolset } from "@fencepost/tools";
import type { SandboxPolicy } from "@fencepost/sandbox";
import type { ApprovalPreset } from "../approval/preset.ts";
import { questionsFor, riskOf } from "../approval/question.ts";
import type { ToolCall } from "../conversation/message.ts";

export interface CallJudge {
  /** Whether a call can change anything, as far as is known without running it. */
  readonly canChange: (call: ToolCall) => Promise<boolean>;
  /** Whether these calls are all valid, read-only and need nobody's approval. */
  readonly allReadOnly: (calls: readonly ToolCall[]) => Promise<boolean>;
}

/** Judges calls by what `prepare` says of them. Changes nothing. */
export function createCallJudge(toolset: FinalizedToolset, preset: ApprovalPreset, policy: () => SandboxPolicy): CallJudge {
  const isReadOnly = async (call: ToolCall): Promise<boolean> => {
    if (!toolset.has(call.toolId)) return false;
    const prepared = await toolset.prepare(call, policy());
    return prepared.kind === "prepared" && riskOf(prepared) === "read_only" && preset !== "deny-all" && questionsFor(prepared, preset).length === 0;
  };
  return {
    async canChange(call) {
      const tool = toolset.tool(call.toolId);
      if (!tool) return false;
      const prepared = await toolset.prepare(call, policy());
      // Arguments that cannot be judged are judged by their tool.
      return riskOf(prepared.kind === "prepared" ? prepared : { tool, facts: { kind: "read_only" } }) !== "read_only";
    },
    async allReadOnly(calls) {
      for (const call of calls) if (!(await isReadOnly(call))) return false;
      return true;
    },
  };
}
