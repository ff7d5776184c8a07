import { failed, type ToolFacts, type ToolResult, type Validator } from "@fencepost/contract";
import type { SandboxPolicy } from "@fencepost/sandbox";
import type { DangerousCommand } from "../commands/dangerous-command.ts";
import { blockedResult } from "../commands/blocked-result.ts";
import { findDangerousCommand } from "../commands/find-dangerous-command.ts";
import type { SessionContext } from "../context/session-context.ts";
import { withoutEscalation } from "./escalation-input.ts";
import { errorText } from "./error-text.ts";
import type { Escalation, PreparedCall, RefusedCall, SessionTool, ToolRequest } from "./finalized-toolset.ts";
import { prepareEscalation } from "./prepare-escalation.ts";
import { protectedTarget } from "./protected-target.ts";
import { readInput } from "./read-input.ts";

/** One tool of a session, ready to take calls. */
export interface CallableTool {
  readonly tool: SessionTool;
  readonly validate: Validator;
  /** The schema offers the escalation parameters. */
  readonly takesEscalation: boolean;
}

/**
 * Reads and validates the arguments of one call and gathers what a host needs to decide: parse, resolve, validate,
 * protected targets, escalation, dangerous command. Each refusal ends the call by rule. Changes nothing.
 */
export async function prepareCall(tools: ReadonlyMap<string, CallableTool>, session: SessionContext, request: ToolRequest, policy: SandboxPolicy): Promise<PreparedCall | RefusedCall> {
  try {
    return await prepare(tools, session, request, policy);
  } catch (error) {
    return refused(failed("execution_failed", `The call could not be prepared, so nothing was done: ${errorText(error)}. Report the failure; do not retry the same call.`));
  }
}

async function prepare(tools: ReadonlyMap<string, CallableTool>, session: SessionContext, request: ToolRequest, policy: SandboxPolicy): Promise<PreparedCall | RefusedCall> {
  const read = readInput(request.input);
  if ("fault" in read) return refused(failed("invalid_arguments", read.fault));
  const callable = tools.get(request.toolId);
  if (!callable) return refused(failed("tool_not_found", notFoundText(request.toolId, [...tools.keys()])));
  const { tool } = callable;
  const invalid = callable.validate(read.input);
  if (invalid !== null) return refused(failed("invalid_arguments", invalid));

  const { input, request: asked } = callable.takesEscalation ? withoutEscalation(read.input) : { input: read.input, request: {} };
  const facts = Object.freeze(tool.inspect(input));
  const protectedRefusal = await protectedTarget(facts, session, policy);
  if (protectedRefusal) return refused(protectedRefusal);
  const blocked = blockedOf(facts, session);
  if (blocked) return refused(blocked);
  const escalation = await prepareEscalation(asked, facts, session, policy);
  if (escalation && "refused" in escalation) return refused(escalation.refused);
  const danger = dangerOf(facts, session, policy, escalation);
  return Object.freeze({ kind: "prepared", tool, input, facts, ...(escalation && { escalation }), ...(danger && { danger }) });
}

/** Refused by rule, whatever a person would say: before any card. */
function blockedOf(facts: ToolFacts, session: SessionContext): ToolResult | undefined {
  if (facts.kind !== "runs") return undefined;
  return facts.commands.map((command) => blockedResult(session, command)).find((result) => result !== undefined);
}

/** Only looked for where a card could be shown for it: the sandbox enforces whatever the text says. */
function dangerOf(facts: ToolFacts, session: SessionContext, policy: SandboxPolicy, escalation: Escalation | undefined): DangerousCommand | undefined {
  if (facts.kind !== "runs" || !session.sandbox.available) return undefined;
  if (policy.mode !== "auto" && !escalation) return undefined;
  let before = 0;
  for (const command of facts.commands) {
    const danger = findDangerousCommand(command);
    // A host shows all commands of a call as one text, a line break between them.
    if (danger) return { ...danger, span: { start: before + danger.span.start, end: before + danger.span.end } };
    before += Buffer.byteLength(command) + 1;
  }
  return undefined;
}

function refused(result: ToolResult): RefusedCall {
  return { kind: "refused", result };
}

const maxShownIdCharacters = 60;

function notFoundText(id: unknown, known: readonly string[]): string {
  const shown = JSON.stringify(typeof id === "string" ? Array.from(id).slice(0, maxShownIdCharacters).join("") : typeof id);
  return `There is no tool ${shown} in this session. Use one of: ${known.join(", ")}.`;
}
