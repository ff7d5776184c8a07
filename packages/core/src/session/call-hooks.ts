import type { Capability, ToolFacts, ToolResult, ToolRisk } from "@fencepost/contract";

/** What a hook sees of one call. */
export interface HookCall {
  readonly callId: string;
  readonly toolId: string;
  /** Validated, without the escalation parameters. */
  readonly input: unknown;
  readonly facts: ToolFacts;
  /** Raised to the floor of every capability. */
  readonly risk: ToolRisk;
  readonly capabilities: readonly Capability[];
}

export type HookVerdict = { readonly deny: string } | undefined | void;

/**
 * A host's own checks around each call. A hook can refuse, never allow: it runs before the decision and does not replace
 * it. One that throws refuses.
 */
export interface CallHooks {
  /** After validation, before anyone is asked. */
  beforeCall?(call: HookCall): HookVerdict | Promise<HookVerdict>;
  /** After the call has run: a refusal keeps the result from the model, it does not take back what was done. */
  afterCall?(call: HookCall, result: ToolResult): HookVerdict | Promise<HookVerdict>;
}
