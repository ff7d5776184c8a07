import type { SandboxPermissions } from "@fencepost/contract";

/** What a validated input asks for beyond the policy. */
export interface EscalationRequest {
  readonly sandboxPermissions?: SandboxPermissions;
  readonly justification?: string;
}

/** A validated input of a tool that takes escalation, in two: what the tool gets, and what the host decides about. */
export function withoutEscalation(validated: unknown): { readonly input: unknown; readonly request: EscalationRequest } {
  if (!hasEscalationTypes(validated)) return { input: validated, request: {} };
  const { sandboxPermissions, justification, ...input } = validated;
  return {
    input: Object.freeze(input),
    request: { ...(sandboxPermissions && { sandboxPermissions }), ...(justification !== undefined && { justification }) },
  };
}

/** The validator has proved the fields' types: its schema holds `escalationProperties`. */
function hasEscalationTypes(validated: unknown): validated is EscalationRequest & Record<string, unknown> {
  return typeof validated === "object" && validated !== null;
}
