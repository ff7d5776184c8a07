import { failed, invalidInputPrefix, type ToolErrorCode, type ToolResult } from "@fencepost/contract";
import { fileDenialText, hardProtectedText, type Access, type DenialReason, type EscalationWay, type SandboxMode } from "@fencepost/sandbox";

/** The path is not used, and `refused` is the result that says why and what to do instead. */
export interface PathRefusal {
  readonly refused: ToolResult;
}

/** Refused by the fence: by rule for hard-protected paths, else by what this call's policy lets through. */
export function denied(reason: DenialReason, denial: Denial): PathRefusal {
  if (reason === "hard_protected") return { refused: failed("permission_denied", hardProtectedText(denial.shown)) };
  return { refused: failed("permission_denied", denialText(denial), { sandboxDenied: true }) };
}

export interface Denial {
  readonly access: Access;
  readonly shown: string;
  readonly mode: SandboxMode;
  readonly escalation: EscalationWay;
}

/** Only write, edit and bash take permissions: a refused reader is sent to bash instead of into an unknown field. */
function denialText({ access, shown, mode, escalation }: Denial): string {
  const text = fileDenialText(access, shown, mode, escalation);
  if (access === "write" || escalation !== "possible") return text;
  const way = `[sandbox: to proceed, read it once with bash and sandboxPermissions listing ${shown} (read, exact), and a one-sentence justification; the user will be asked]`;
  return `${text.slice(0, text.indexOf("\n"))}\n${way}`;
}

/** Refused by the fence for a reason that no permission changes. */
export function neverAllowed(message: string): PathRefusal {
  return { refused: failed("permission_denied", message) };
}

/** The path itself is not one. */
export function invalidPath(message: string): PathRefusal {
  return refusedWith("invalid_arguments", invalidInputPrefix + message);
}

/** The path is fine, but what is on the disk is not what the call needs. */
export function unusablePath(message: string, kind: string): PathRefusal {
  return { refused: failed("execution_failed", message, { details: { kind } }) };
}

function refusedWith(code: ToolErrorCode, message: string): PathRefusal {
  return { refused: failed(code, message) };
}
