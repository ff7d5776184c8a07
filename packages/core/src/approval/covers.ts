import { isBelow, type PathGrant, type SandboxPolicy } from "@fencepost/sandbox";
import type { PreparedCall } from "@fencepost/tools";

/** Their command goes on after the call has answered, and so does what was granted to it. */
const backgroundTools: ReadonlySet<string> = new Set(["start_command"]);

/** What "this once" covers, in words for the person who is asked. */
export function coversText(prepared: PreparedCall, policy: SandboxPolicy): string {
  const grants = prepared.escalation?.grants ?? [];
  const sentences = [
    grants.length === 0
      ? `This ${prepared.tool.id} call only, inside the sandbox and with no access beyond ${policy.mode} mode.`
      : `This ${prepared.tool.id} call only, with the paths listed and nothing else beyond ${policy.mode} mode.`,
  ];
  if (prepared.danger) sentences.push("The command deletes; approving it does not loosen the sandbox.");
  if (grants.some((grant) => grant.access === "write" && grant.scope === "exact" && isOutside(policy, grant.path))) {
    sentences.push("A path outside the writable roots that is granted exactly can be written in place, not replaced or renamed.");
  }
  const wide = grants.filter((grant) => grant.access === "write" && grant.scope === "subtree" && isOutside(policy, grant.path));
  if (wide.length > 0) sentences.push(closedInside(policy.withGrants(grants), wide));
  sentences.push(
    backgroundTools.has(prepared.tool.id)
      ? "It holds as long as the background command runs. The next call asks again."
      : "Nothing is remembered: the next call asks again.",
  );
  return sentences.join(" ");
}

/** What stays closed in a granted directory, so that nobody takes "everything below it" for more than it is. */
function closedInside(granted: SandboxPolicy, wide: readonly PathGrant[]): string {
  const credentials = granted.rules("bash").protectedRules.filter((rule) => rule.tier === "credential").map((rule) => rule.root);
  const shut = credentials.some((path) => wide.some((grant) => isBelow(path, grant.path)) && !granted.check(path, "read", "bash").allowed);
  return `In a granted directory git hooks stay closed, and so do ${shut ? "credentials and " : ""}protected names such as .git and .env that are not listed themselves.`;
}

function isOutside(policy: SandboxPolicy, path: string): boolean {
  const verdict = policy.check(path, "write", "bash");
  return !verdict.allowed && verdict.reason === "outside_writable_roots";
}
