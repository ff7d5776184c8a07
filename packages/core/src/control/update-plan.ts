import { failed, succeeded } from "@fencepost/contract";
import { Type, type Static } from "typebox";
import { controlTool, type ControlTool } from "./control-tool.ts";
import type { Plan } from "./plan.ts";

const maxSteps = 128;

const maxStepCharacters = 1024;

const PlanInput = Type.Object(
  {
    explanation: Type.Optional(Type.String({ description: "Why the plan changes." })),
    plan: Type.Array(
      Type.Object(
        {
          step: Type.String({ minLength: 1, maxLength: maxStepCharacters }),
          status: Type.Union([Type.Literal("pending"), Type.Literal("in_progress"), Type.Literal("completed")]),
        },
        { additionalProperties: false },
      ),
      { maxItems: maxSteps, description: "All steps, in order. At most one is in_progress." },
    ),
  },
  { additionalProperties: false },
);

/** Replaces the whole plan, or changes nothing. `save` stores it; where that fails, nothing has changed either. */
export function updatePlanTool(save: (plan: Plan) => Promise<void>): ControlTool {
  return controlTool<Static<typeof PlanInput>>({
    id: "update_plan",
    description: "Keeps the list of steps that the user sees. Send the whole list each time; it replaces the last one.",
    inputSchema: PlanInput,
    async run({ explanation, plan }) {
      const blank = plan.findIndex(({ step }) => step.trim() === "");
      if (blank >= 0) return failed("invalid_arguments", `invalid tool input: \`plan[${blank}].step\` is blank; say what is done in it.`);
      const inProgress = plan.filter(({ status }) => status === "in_progress").length;
      if (inProgress > 1) return failed("invalid_arguments", `invalid tool input: ${inProgress} steps of \`plan\` are in_progress; at most one may be.`);
      await save({ ...(explanation !== undefined && { explanation }), steps: plan });
      return succeeded("Plan updated");
    },
  });
}
