import type { ScriptedStep } from "@fencepost/core";

const delayMs = 15;

/** What the offline model does in any workspace: it looks, plans aloud, and changes nothing. */
export function offlineSteps(): readonly ScriptedStep[] {
  return [
    {
      text: "I am a script, not a model: nothing is configured. I can still show how a turn looks. First I write a plan and look around.",
      delayMs,
      calls: [
        { toolId: "update_plan", input: { plan: [{ step: "Look around", status: "in_progress" }, { step: "Find what is unfinished", status: "pending" }, { step: "Say how to go on", status: "pending" }] } },
        { toolId: "list", input: {} },
      ],
    },
    {
      text: "Now what is marked as unfinished.",
      delayMs,
      calls: [
        { toolId: "grep", input: { pattern: "TODO|FIXME", outputMode: "count" } },
        { toolId: "bash", input: { command: "git log --oneline -5 2>/dev/null || ls", description: "What happened last" } },
      ],
    },
    {
      delayMs,
      calls: [{ toolId: "update_plan", input: { plan: [{ step: "Look around", status: "completed" }, { step: "Find what is unfinished", status: "completed" }, { step: "Say how to go on", status: "completed" }] } }],
    },
    {
      text: "That was a turn: each call went through the fence, and nothing was changed.\nTo let a model work here, name one: --model local/<name> for a server on this machine (FENCEPOST_MODEL_URL says where), --model openai/<name> with OPENAI_API_KEY, or --model anthropic/<name> with ANTHROPIC_API_KEY.",
      delayMs,
    },
  ];
}
