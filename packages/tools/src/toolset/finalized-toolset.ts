import type { Tool, ToolDefinition, ToolFacts, ToolResult } from "@fencepost/contract";
import type { PathGrant, SandboxPolicy } from "@fencepost/sandbox";
import type { DangerousCommand } from "../commands/dangerous-command.ts";
import type { CallContext } from "../context/call-context.ts";
import type { SessionContext } from "../context/session-context.ts";

/** The tools of one session: what is advertised is what can be called, and nothing changes it any more. */
export interface FinalizedToolset {
  readonly definitions: readonly ToolDefinition[];
  readonly session: SessionContext;
  has(toolId: string): boolean;
  tool(toolId: string): SessionTool | undefined;
  /** Validates a call and gathers what a host needs to decide. Changes nothing and never throws. */
  prepare(request: ToolRequest, policy: SandboxPolicy): Promise<PreparedCall | RefusedCall>;
  /** Runs a prepared call under the stamped policy. Exactly one result, never a throw. */
  execute(prepared: PreparedCall, call: CallContext): Promise<ToolResult>;
  /** `prepare` and `execute` in one, for hosts without approvals: what would need one is refused. */
  call(request: ToolRequest, call: CallContext): Promise<ToolResult>;
}

export type SessionTool<Input = unknown> = Tool<Input, SessionContext, CallContext>;

export interface ToolRequest {
  readonly toolId: string;
  /** An object, or its JSON text. */
  readonly input: unknown;
}

/** The call ends here, by rule and without a card: unknown tool, bad arguments, hard-protected target, bad escalation. */
export interface RefusedCall {
  readonly kind: "refused";
  readonly result: ToolResult;
}

export interface PreparedCall {
  readonly kind: "prepared";
  readonly tool: SessionTool;
  /** Validated, without the escalation parameters. */
  readonly input: unknown;
  readonly facts: ToolFacts;
  readonly escalation?: Escalation;
  /** Set for commands, where the sandbox is available and the mode is `auto` or an escalation asks. */
  readonly danger?: DangerousCommand;
}

/** What one call asks for beyond the policy: real paths, already validated. */
export interface Escalation {
  readonly grants: readonly PathGrant[];
  readonly justification: string;
}
