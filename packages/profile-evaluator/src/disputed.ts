import { lineageOf } from "./operations.ts";
import type { Profile, ProfileRule } from "./profile.ts";

/** A place where accounts of the language differ about who wins. A profile that must be right has none. */
export interface DisputedPoint {
  readonly kind: "unfiltered-after-filtered" | "allow-below-wildcard" | "allow-after-deny" | "unfiltered-below-filtered";
  readonly operation: string;
}

export function disputedPoints(profile: Profile): readonly DisputedPoint[] {
  const points = [...profile.byOperation].flatMap(([operation, rules]) => [
    ...within(operation, rules),
    ...againstWildcards(operation, rules, profile),
  ]);
  return points.filter((point, index) => points.findIndex((other) => other.kind === point.kind && other.operation === point.operation) === index);
}

function within(operation: string, rules: readonly ProfileRule[]): readonly DisputedPoint[] {
  return rules.flatMap((rule, index): readonly DisputedPoint[] => {
    const earlier = rules.slice(0, index).filter((other) => other.filters.length > 0);
    if (rule.filters.length === 0) return earlier.length > 0 ? [{ kind: "unfiltered-after-filtered", operation }] : [];
    const overridesDeny = rule.action === "allow" && earlier.some((other) => other.action === "deny");
    return overridesDeny ? [{ kind: "allow-after-deny", operation }] : [];
  });
}

function againstWildcards(operation: string, rules: readonly ProfileRule[], profile: Profile): readonly DisputedPoint[] {
  // That `default` yields to every other rule is not disputed.
  const above = lineageOf(operation)
    .slice(1)
    .filter((wildcard) => wildcard !== "default")
    .flatMap((wildcard) => profile.byOperation.get(wildcard) ?? []);
  const allowsBelowDeny = rules.some((rule) => rule.action === "allow") && above.some((rule) => rule.action === "deny");
  const coversFiltered = rules.some((rule) => rule.filters.length === 0) && above.some((rule) => rule.filters.length > 0);
  return [
    ...(allowsBelowDeny ? [{ kind: "allow-below-wildcard", operation } as const] : []),
    ...(coversFiltered ? [{ kind: "unfiltered-below-filtered", operation } as const] : []),
  ];
}
