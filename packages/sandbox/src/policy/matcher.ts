import { foldName } from "./fold.ts";
import type { ProtectedRule, SegmentPattern } from "./protected-rule.ts";

/** The first rule of each tier that covers a path. A path can be several things at once. */
export interface ProtectedHits {
  readonly hardProtected?: ProtectedRule;
  readonly sensitive?: ProtectedRule;
  readonly credential?: ProtectedRule;
}

export interface ProtectedMatcher {
  /** `path`: absolute, normalised, resolved. */
  match(path: string): ProtectedHits;
  /**
   * Whether a rule of the workspace can begin at an entry of this name. False: neither the entry nor, because of its
   * name, anything below it is protected. For walks that look at many names.
   */
  canBegin(name: string): boolean;
}

interface RootRules {
  readonly at: ProtectedRule[];
  readonly anywhereByName: Map<string, ProtectedRule[]>;
  readonly anywhereByPrefix: { readonly prefix: string; readonly rule: ProtectedRule }[];
}

/**
 * Compiles rules for many questions: the cost of one is a few map look-ups a segment, however many rules there are.
 *
 * @param foldsCase whether roots, too, compare without regard to case
 */
export function protectedMatcher(rules: readonly ProtectedRule[], foldsCase: boolean): ProtectedMatcher {
  const key = foldsCase ? foldName : (path: string): string => path;
  const byRoot = new Map<string, RootRules>();
  for (const rule of rules) addRule(byRoot, key(rule.root), rule);

  const names = new Set([...byRoot.values()].flatMap((root) => [...root.anywhereByName.keys()]));
  const prefixes = [...new Set([...byRoot.values()].flatMap((root) => root.anywhereByPrefix.map((entry) => entry.prefix)))];

  const match = (path: string): ProtectedHits => {
    const found: ProtectedRule[] = [];
    const keyed = key(path);
    const atSlash = byRoot.get("/");
    if (atSlash) matchRoot(atSlash, foldedSegments(path, 0), found);
    for (let end = nextEnd(keyed, 1), level = 1; end !== 0; end = nextEnd(keyed, end + 1), level += 1) {
      const here = byRoot.get(keyed.slice(0, end));
      if (here) matchRoot(here, foldedSegments(path, level), found);
    }
    return hitsOf(found);
  };

  const canBegin = (name: string): boolean => {
    const folded = foldName(name);
    return names.has(folded) || prefixes.some((prefix) => folded.startsWith(prefix));
  };

  return { match, canBegin };
}

/** Where the segment that holds position `from` ends; 0 past the end of the path. */
function nextEnd(path: string, from: number): number {
  if (from >= path.length) return 0;
  const slash = path.indexOf("/", from);
  return slash === -1 ? path.length : slash;
}

/** The segments after the first `level`, folded. Folding keeps slashes, so levels stay what they are. */
function foldedSegments(path: string, level: number): readonly string[] {
  const segments = path === "/" ? [] : foldName(path).slice(1).split("/");
  return segments.slice(level);
}

function addRule(byRoot: Map<string, RootRules>, root: string, rule: ProtectedRule): void {
  const entry = byRoot.get(root) ?? { at: [], anywhereByName: new Map<string, ProtectedRule[]>(), anywhereByPrefix: [] };
  byRoot.set(root, entry);
  const first = rule.segments[0];
  if (rule.depth === "at" || first === undefined || first.kind === "any-depth") {
    entry.at.push(rule);
  } else if (first.kind === "prefix") {
    entry.anywhereByPrefix.push({ prefix: foldName(first.prefix), rule });
  } else {
    const name = foldName(first.name);
    entry.anywhereByName.set(name, [...(entry.anywhereByName.get(name) ?? []), rule]);
  }
}

function matchRoot(root: RootRules, segments: readonly string[], found: ProtectedRule[]): void {
  for (const rule of root.at) if (matchesFrom(rule, segments, 0, 0)) found.push(rule);
  segments.forEach((segment, index) => {
    for (const rule of root.anywhereByName.get(segment) ?? []) if (matchesFrom(rule, segments, index, 0)) found.push(rule);
    for (const { prefix, rule } of root.anywhereByPrefix) {
      if (segment.startsWith(prefix) && matchesFrom(rule, segments, index, 0)) found.push(rule);
    }
  });
}

/** Whether the pattern from `step` on matches the segments from `index` on. */
function matchesFrom(rule: ProtectedRule, segments: readonly string[], index: number, step: number): boolean {
  const pattern = rule.segments[step];
  if (pattern === undefined) return rule.covers === "subtree" || index === segments.length;
  if (pattern.kind === "any-depth") {
    for (let from = index; from <= segments.length; from += 1) if (matchesFrom(rule, segments, from, step + 1)) return true;
    return false;
  }
  const segment = segments[index];
  return segment !== undefined && segmentMatches(pattern, segment) && matchesFrom(rule, segments, index + 1, step + 1);
}

function segmentMatches(pattern: Exclude<SegmentPattern, { kind: "any-depth" }>, folded: string): boolean {
  return pattern.kind === "name" ? folded === foldName(pattern.name) : folded.startsWith(foldName(pattern.prefix));
}

function hitsOf(found: readonly ProtectedRule[]): ProtectedHits {
  if (found.length === 0) return noHits;
  const hardProtected = found.find((rule) => rule.tier === "hard-protected");
  const sensitive = found.find((rule) => rule.tier === "sensitive");
  const credential = found.find((rule) => rule.tier === "credential");
  return { ...(hardProtected && { hardProtected }), ...(sensitive && { sensitive }), ...(credential && { credential }) };
}

const noHits: ProtectedHits = {};
