import { failed, normaliseCapabilities, type ToolResult } from "@fencepost/contract";
import type { PreparedCall } from "@fencepost/tools";
import { riskOf } from "../approval/question.ts";
import type { CallHooks, HookCall, HookVerdict } from "./call-hooks.ts";

/** The refusal of the host's hook, or undefined where it lets the call through. */
export async function beforeHook(hooks: CallHooks, callId: string, prepared: PreparedCall): Promise<ToolResult | undefined> {
  const denied = await verdictOf(() => hooks.beforeCall?.(hookCall(callId, prepared)));
  return denied === undefined ? undefined : failed("hook_denied", `${denied} Nothing was done.`);
}

/** The result the model gets: the tool's, or the hook's refusal to show it. */
export async function afterHook(hooks: CallHooks, callId: string, prepared: PreparedCall, result: ToolResult): Promise<ToolResult> {
  const denied = await verdictOf(() => hooks.afterCall?.(hookCall(callId, prepared), result));
  if (denied === undefined) return result;
  return failed("hook_denied", `${denied} The call has run; its result is withheld.`, { artifacts: result.artifacts });
}

async function verdictOf(hook: () => HookVerdict | Promise<HookVerdict>): Promise<string | undefined> {
  try {
    const verdict = await hook();
    return verdict ? sentence(verdict.deny) : undefined;
  } catch (error) {
    return `A check of this host failed (${error instanceof Error ? error.message : "unknown error"}).`;
  }
}

function sentence(text: string): string {
  const trimmed = text.trim() || "A check of this host refused the call";
  return /[.!?]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}

function hookCall(callId: string, prepared: PreparedCall): HookCall {
  return {
    callId,
    toolId: prepared.tool.id,
    input: prepared.input,
    facts: prepared.facts,
    risk: riskOf(prepared),
    capabilities: normaliseCapabilities(prepared.tool.capabilities),
  };
}
