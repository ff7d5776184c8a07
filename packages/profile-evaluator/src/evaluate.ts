import { lineageOf } from "./operations.ts";
import type { Profile, ProfileRule } from "./profile.ts";

export type Outcome = "allow" | "deny";

/** How the file system under the profile compares names. */
export type CaseRule = "exact" | "folded";

/**
 * What a profile says to one operation on one path (the kernel's resolved form).
 *
 * The operation's own rules are asked first, then those of its wildcard, up to `default`: a specific operation beats
 * its wildcard whatever stands first. Among rules of one operation the last filtered one that matches decides; an
 * unfiltered one decides only where none of those matches. Nothing at all said is a refusal.
 */
export function decide(profile: Profile, operation: string, path: string, caseRule: CaseRule = "exact"): Outcome {
  for (const name of lineageOf(operation)) {
    const rules = profile.byOperation.get(name) ?? [];
    const filtered = rules.findLast((rule) => matches(rule, path, caseRule));
    const decisive = filtered ?? rules.findLast((rule) => rule.filters.length === 0);
    if (decisive) return decisive.action;
  }
  return "deny";
}

function matches(rule: ProfileRule, path: string, caseRule: CaseRule): boolean {
  return rule.filters.some((filter) => filter(path, caseRule === "folded"));
}
