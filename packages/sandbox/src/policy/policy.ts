import type { Access, Actor, DenialReason, Tier, Verdict } from "./access.ts";
import { isWritableDevice } from "./devices.ts";
import type { SandboxEnvironment } from "./environment.ts";
import type { PathGrant } from "./grant.ts";
import { protectedMatcher, type ProtectedHits, type ProtectedMatcher } from "./matcher.ts";
import type { SandboxMode } from "./mode.ts";
import { isUnder } from "./paths.ts";
import { checkFields, type SandboxPolicyFields } from "./policy-fields.ts";
import { hooksAnywhere, protectedRules, type ProtectedRule } from "./protected-rule.ts";
import { covers, policyRules, type PolicyRules, type RuleGrant } from "./rules.ts";

interface Compiled {
  readonly protectedRules: readonly ProtectedRule[];
  readonly matcher: ProtectedMatcher;
  /** Reading asks about nothing else, and a search asks it of every file. */
  readonly credentials: ProtectedMatcher;
}

/** What one tool call may read and write. Immutable. The fence and both kernel backends derive from it alone. */
export class SandboxPolicy implements SandboxPolicyFields {
  readonly mode: SandboxMode;
  readonly workspaceRoot: string;
  readonly grants: readonly PathGrant[];
  readonly environment: SandboxEnvironment;
  readonly network: "host" | "none";
  readonly #compiled: Compiled;
  readonly #rules: Readonly<Record<Actor, PolicyRules>>;
  /** What each write grant leaves closed. The grants of both actors are the same. */
  readonly #closedInGrants: ClosedInGrants;

  /** @throws {TypeError} one line: a field that is missing or says a word that does not exist */
  constructor(fields: SandboxPolicyFields) {
    checkFields(fields);
    this.mode = fields.mode;
    this.workspaceRoot = fields.workspaceRoot;
    this.grants = Object.freeze(fields.grants.map((grant) => Object.freeze({ ...grant })));
    this.environment = fields.environment;
    this.network = fields.network;
    this.#compiled = compile(fields.workspaceRoot, fields.environment);
    const rulesOf = (actor: Actor): PolicyRules => policyRules(this, actor, this.#compiled.protectedRules, this.#compiled.matcher);
    this.#rules = { bash: rulesOf("bash"), "file-tool": rulesOf("file-tool") };
    this.#closedInGrants = this.#rules.bash.grants.map((grant) => (grant.access === "read" ? undefined : protectedMatcher(grant.leavesClosed, fields.environment.foldsCase ?? false)));
    Object.freeze(this);
  }

  /** The same policy with the grants of one approved call. */
  withGrants(grants: readonly PathGrant[]): SandboxPolicy {
    const { mode, workspaceRoot, environment, network } = this;
    return new SandboxPolicy({ mode, workspaceRoot, environment, network, grants });
  }

  /** Whether `actor` may use `path` (absolute, normalised, resolved). */
  check(path: string, access: Access, actor: Actor): Verdict {
    return this.decide(path, access, actor).verdict;
  }

  /** The strictest tier that covers the path. */
  tier(path: string): Tier {
    const hits = this.#compiled.matcher.match(path);
    if (hits.hardProtected) return "hard-protected";
    if (hits.sensitive) return "sensitive";
    return hits.credential ? "credential" : "normal";
  }

  /** The rules that protect the path, one a tier; in a granted directory also what its grant leaves closed. */
  matches(path: string): ProtectedHits {
    const own = this.#compiled.matcher.match(path);
    return this.#rules.bash.grants.reduce<ProtectedHits>((hits, grant, index) => (covers(grant, path) ? { ...this.#closedInGrants[index]?.match(path), ...hits } : hits), own);
  }

  /** False: no rule of the workspace can begin at an entry of this name. For walks that look at many names. */
  canBeginProtected(name: string): boolean {
    return this.#compiled.matcher.canBegin(name);
  }

  /** The policy for one actor as data: what a kernel backend is compiled from. */
  rules(actor: Actor): PolicyRules {
    return this.#rules[actor];
  }

  /** The verdict, and what decided it. */
  decide(path: string, access: Access, actor: Actor): Decision {
    if (!isComparable(path)) return { verdict: denied(access === "read" ? "credential" : "outside_writable_roots"), by: { kind: "malformed" } };
    const rules = this.#rules[actor];
    return access === "read" ? judgeRead(rules, this.#compiled.credentials.match(path), path) : judgeWrite(rules, this.#compiled.matcher.match(path), path, this.#closedInGrants);
  }
}

/** A verdict with the one thing that decided it. */
export interface Decision {
  readonly verdict: Verdict;
  readonly by:
    | { readonly kind: "readable" }
    | { readonly kind: "device" }
    | { readonly kind: "writable-root"; readonly root: string }
    | { readonly kind: "grant"; readonly grant: RuleGrant }
    | { readonly kind: "protected"; readonly rule: ProtectedRule }
    | { readonly kind: "outside" }
    /** Not absolute and normalised: rules cannot be compared with it, so nothing is let through. */
    | { readonly kind: "malformed" };
}

const emptyOrDots = /\/\.{0,2}(?:\/|$)/;

/** `isNormalisedAbsolute`, quickly: a search asks for every file. */
function isComparable(path: string): boolean {
  return path === "/" || (path.startsWith("/") && !emptyOrDots.test(path) && !path.includes("\0"));
}

const allowed: Verdict = { allowed: true };

function denied(reason: DenialReason): Verdict {
  return { allowed: false, reason };
}

function judgeRead(rules: PolicyRules, hits: ProtectedHits, path: string): Decision {
  if (!hits.credential) return { verdict: allowed, by: { kind: "readable" } };
  const grant = rules.grants.find((candidate) => candidate.unlocksCredential && covers(candidate, path));
  if (grant) return { verdict: allowed, by: { kind: "grant", grant } };
  return { verdict: denied("credential"), by: { kind: "protected", rule: hits.credential } };
}

type ClosedInGrants = readonly (ProtectedMatcher | undefined)[];

/** Outside the workspace, too, no grant opens them. */
const hooks = protectedMatcher(hooksAnywhere, false);

function judgeWrite(rules: PolicyRules, hits: ProtectedHits, path: string, closedInGrants: ClosedInGrants): Decision {
  if (isWritableDevice(path, rules.devices)) return { verdict: allowed, by: { kind: "device" } };
  if (hits.hardProtected) return { verdict: denied("hard_protected"), by: { kind: "protected", rule: hits.hardProtected } };
  if (!hits.sensitive && !hits.credential) {
    const root = rules.writableRoots.find((candidate) => isUnder(path, candidate));
    if (root !== undefined) return { verdict: allowed, by: { kind: "writable-root", root } };
  }
  const hook = hooks.match(path).hardProtected;
  if (hook) return { verdict: denied("hard_protected"), by: { kind: "protected", rule: hook } };
  let named: ProtectedRule | undefined;
  for (const [index, grant] of rules.grants.entries()) {
    if (grant.access !== "write" || !covers(grant, path) || !unlocks(grant, hits)) continue;
    const closed = closedInGrants[index]?.match(path) ?? {};
    const rule = closed.hardProtected ?? closed.sensitive;
    if (rule === undefined) return { verdict: allowed, by: { kind: "grant", grant } };
    named ??= rule;
  }
  if (hits.sensitive) return { verdict: denied("sensitive"), by: { kind: "protected", rule: hits.sensitive } };
  if (hits.credential) return { verdict: denied("credential"), by: { kind: "protected", rule: hits.credential } };
  if (named) return { verdict: denied(named.tier === "hard-protected" ? "hard_protected" : "sensitive"), by: { kind: "protected", rule: named } };
  return { verdict: denied("outside_writable_roots"), by: { kind: "outside" } };
}

function unlocks(grant: RuleGrant, hits: ProtectedHits): boolean {
  return (!hits.sensitive || grant.unlocksSensitive) && (!hits.credential || grant.unlocksCredential);
}

/** One environment serves a whole session, and a session has many policies: the rules are compiled once. */
const compiledByEnvironment = new WeakMap<SandboxEnvironment, Map<string, Compiled>>();

function compile(workspaceRoot: string, environment: SandboxEnvironment): Compiled {
  const byWorkspace = compiledByEnvironment.get(environment) ?? new Map<string, Compiled>();
  compiledByEnvironment.set(environment, byWorkspace);
  const known = byWorkspace.get(workspaceRoot);
  if (known) return known;
  const rules = protectedRules(workspaceRoot, environment);
  const foldsCase = environment.foldsCase ?? false;
  const credentials = rules.filter((rule) => rule.tier === "credential");
  const compiled: Compiled = { protectedRules: rules, matcher: protectedMatcher(rules, foldsCase), credentials: protectedMatcher(credentials, foldsCase) };
  byWorkspace.set(workspaceRoot, compiled);
  return compiled;
}
