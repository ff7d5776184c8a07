import { isBelow, isUnder } from "../policy/paths.ts";
import type { PathGrant } from "../policy/grant.ts";
import type { ProtectedRule } from "../policy/protected-rule.ts";
import { depthAnchor, rulePattern } from "./name-pattern.ts";
import { maxPathBytes, UnusablePathError, type Parameters } from "./parameters.ts";

export function literal(path: string, parameters: Parameters): string {
  return `(literal ${parameters.of(path)})`;
}

/** A path and everything below it. Both, because accounts differ on whether `subpath` holds the path itself. */
export function subtree(path: string, parameters: Parameters): readonly string[] {
  return [literal(path, parameters), `(subpath ${parameters.of(path)})`];
}

export function grantFilters(grant: PathGrant, parameters: Parameters): readonly string[] {
  return grant.scope === "exact" ? [literal(grant.path, parameters)] : subtree(grant.path, parameters);
}

export function regex(pattern: string): string {
  return `(regex #"${pattern}")`;
}

export function any(filters: readonly string[]): string {
  return filters.length === 1 ? (filters[0] ?? "") : `(require-any ${filters.join(" ")})`;
}

export function all(filters: readonly string[]): string {
  return filters.length === 1 ? (filters[0] ?? "") : `(require-all ${filters.join(" ")})`;
}

export function not(filter: string): string {
  return `(require-not ${filter})`;
}

/** Whether a rule names one path, rather than names to look for. */
function isFixed(rule: ProtectedRule): boolean {
  return rule.segments.length === 0;
}

/**
 * What has to be carved out of one region: filters that match whatever the rules cover inside it. `region` must not
 * hold the root of a rule that looks for names, unless it is that root.
 */
export function protectedInside(region: string, rules: readonly ProtectedRule[], parameters: Parameters): readonly string[] {
  const fixed = rules.filter((rule) => isFixed(rule) && (isUnder(rule.root, region) || (rule.covers === "subtree" && isUnder(region, rule.root))));
  const patterns = rules.filter((rule) => !isFixed(rule) && isUnder(region, rule.root)).map((rule) => regex(patternOf(rule)));
  return [...new Set(fixed.flatMap((rule) => (rule.covers === "subtree" ? subtree(rule.root, parameters) : [literal(rule.root, parameters)]))), ...new Set(patterns)];
}

/** The directories in which names are looked for and that lie strictly inside a region. */
export function patternRootsInside(region: string, rules: readonly ProtectedRule[]): readonly string[] {
  return [...new Set(rules.filter((rule) => !isFixed(rule) && isBelow(rule.root, region)).map((rule) => rule.root))];
}

/**
 * Names count below the rule's root only. The anchor counts the root's segments; a rule that may begin anywhere needs
 * it only where the root's own path could be taken for the pattern.
 */
function patternOf(rule: ProtectedRule): string {
  const anchor = depthAnchor(rule.root);
  if (rule.depth === "at") return short(rulePattern(rule, anchor), rule);
  return short(couldTakeIn(rule.root, rule) ? rulePattern(rule, `${anchor}(/[^/]+)*`) : rulePattern(rule, ""), rule);
}

/** A pattern is a literal too: too long, it would not load. Only a root of a hundred levels gets there. */
function short(pattern: string, rule: ProtectedRule): string {
  if (Buffer.byteLength(pattern) > maxPathBytes) throw new UnusablePathError(rule.root);
  return pattern;
}

function couldTakeIn(root: string, rule: ProtectedRule): boolean {
  const names = rule.segments.filter((segment) => segment.kind !== "any-depth").map((segment) => rulePattern({ ...rule, segments: [segment], covers: "subtree" }, ""));
  return names.some((name) => new RegExp(name).test(root));
}
