import { failed, invalidInputPrefix, type PathPermission, type ToolFacts, type ToolResult } from "@fencepost/contract";
import { validateGrants, type PathGrant, type SandboxPolicy } from "@fencepost/sandbox";
import type { SessionContext } from "../context/session-context.ts";
import { lexicalPath } from "../paths/lexical-path.ts";
import type { PathRefusal } from "../paths/path-refusal.ts";
import { findRealPath } from "../paths/real-path.ts";
import { showPath } from "../paths/show-path.ts";
import type { EscalationRequest } from "./escalation-input.ts";
import type { Escalation } from "./finalized-toolset.ts";

/**
 * The escalation of one call as the user will see it: each path real and absolute, the whole checked. Undefined where
 * the call asks for nothing. A refusal is final: nobody is asked about it.
 */
export async function prepareEscalation(
  request: EscalationRequest,
  facts: ToolFacts,
  session: SessionContext,
  policy: SandboxPolicy,
): Promise<Escalation | PathRefusal | undefined> {
  const { sandboxPermissions, justification } = request;
  if (!sandboxPermissions && justification === undefined) return undefined;
  if (!sandboxPermissions) {
    return invalid("`justification` is only for a call with `sandboxPermissions`; list the paths in `sandboxPermissions`, or leave `justification` out");
  }
  if (justification === undefined || justification.trim() === "") {
    return invalid("`sandboxPermissions` needs a `justification`; add one sentence that tells the user why this call needs these paths");
  }
  const grants: PathGrant[] = [];
  for (const permission of sandboxPermissions.paths) {
    const grant = await realGrant(permission, session, policy);
    if ("refused" in grant) return grant;
    grants.push(grant);
  }
  const refusal = validateGrants(policy, grants, facts.kind === "runs" ? "bash" : "file-tool");
  if (refusal) return { refused: denied(`Permission was not asked for: ${refusal.message}.`) };
  return Object.freeze({ grants: Object.freeze(grants), justification: justification.trim() });
}

/** Where the path really leads; a link that leads nowhere counts as the place it names. */
async function realGrant({ path, access, scope }: PathPermission, session: SessionContext, policy: SandboxPolicy): Promise<PathGrant | PathRefusal> {
  const lexical = lexicalPath(path, { workingDirectory: session.workingDirectory, home: policy.environment.home });
  if ("refused" in lexical) return lexical;
  const found = await findRealPath(session.fileSystem, lexical.path);
  if (found.kind !== "failed") return Object.freeze({ path: found.real, access, scope });
  const shown = showPath(lexical.path, session.workingDirectory);
  return { refused: denied(`Permission was not asked for: sandboxPermissions names ${shown}, which cannot be resolved (${found.code}); list a path that can be reached, or leave it out.`) };
}

function invalid(message: string): PathRefusal {
  return { refused: failed("invalid_arguments", invalidInputPrefix + message) };
}

function denied(message: string): ToolResult {
  return failed("permission_denied", message);
}
