import type { ToolFacts, ToolResult } from "@fencepost/contract";
import type { SandboxPolicy } from "@fencepost/sandbox";
import type { SessionContext } from "../context/session-context.ts";
import { resolvePath } from "../paths/resolve-path.ts";

/** The refusal of a call that would write a hard-protected path, by whatever name. Anything else is judged when it runs. */
export async function protectedTarget(facts: ToolFacts, session: SessionContext, policy: SandboxPolicy): Promise<ToolResult | undefined> {
  if (facts.kind !== "writes") return undefined;
  for (const target of facts.targets) {
    const path = await resolvePath(target, "write", "mayCreate", session, policy);
    if ("refused" in path && isByRule(path.refused)) return path.refused;
  }
  return undefined;
}

/** Refused although no permission could help: the hard-protected tier, or a link that leads nowhere. */
function isByRule(result: ToolResult): boolean {
  return result.status === "denied" && !result.sandboxDenied;
}
