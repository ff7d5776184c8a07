import type { Access, Actor, Tier, Verdict } from "./access.ts";
import type { SandboxPolicy } from "./policy.ts";

export interface Explanation {
  readonly tier: Tier;
  readonly verdict: Verdict;
  /** The rule that decided, in one sentence for a person. */
  readonly rule: string;
}

/** Says which rule decides about a path. `path`: absolute, normalised, resolved. */
export function explain(policy: SandboxPolicy, path: string, access: Access, actor: Actor): Explanation {
  const decision = policy.decide(path, access, actor);
  return { tier: policy.tier(path), verdict: decision.verdict, rule: sentence(policy, decision, access, actor) };
}

function sentence(policy: SandboxPolicy, { by, verdict }: ReturnType<SandboxPolicy["decide"]>, access: Access, actor: Actor): string {
  switch (by.kind) {
    case "readable":
      return "Everything that is not a credential path can be read.";
    case "device":
      return "It is a device that everyone may write.";
    case "writable-root":
      return by.root === policy.workspaceRoot ? `It lies in the workspace ${by.root}.` : `It lies in the temp root ${by.root}.`;
    case "grant":
      return `The ${by.grant.access} grant for ${by.grant.path} (${by.grant.scope}) of this call opens it.`;
    case "protected":
      return `It is ${by.rule.because}: ${ruleTail(verdict, access)}`;
    case "malformed":
      return "It is not a normalised absolute path, so no rule can let it through.";
    default:
      return outsideSentence(policy, actor);
  }
}

function ruleTail(verdict: Verdict, access: Access): string {
  if (!verdict.allowed && verdict.reason === "hard_protected") return "no mode and no grant makes it writable.";
  return access === "read" ? "only a grant that names it makes it readable." : "only a write grant that names it makes it writable.";
}

function outsideSentence(policy: SandboxPolicy, actor: Actor): string {
  const roots = policy.rules(actor).writableRoots;
  const where = roots.length === 0 ? "nothing without a grant" : `without a grant only below ${roots.join(", ")}`;
  return `${actor === "bash" ? "Commands" : "File tools"} may write ${where}, and no grant covers it.`;
}
