import type { SandboxEnvironment } from "./environment.ts";
import type { PathGrant } from "./grant.ts";
import { sandboxModes, type SandboxMode } from "./mode.ts";
import { isNormalisedAbsolute } from "./paths.ts";

export interface SandboxPolicyFields {
  readonly mode: SandboxMode;
  /** Canonical: absolute, normalised, without links. */
  readonly workspaceRoot: string;
  readonly grants: readonly PathGrant[];
  readonly environment: SandboxEnvironment;
  /** `"host"` restricts nothing and promises nothing. */
  readonly network: "host" | "none";
}

const networks = ["host", "none"] satisfies SandboxPolicyFields["network"][];

/** For hosts without types: a word that no rule knows would let through what it was to refuse. */
export function checkFields({ mode, workspaceRoot, grants, environment, network }: SandboxPolicyFields): void {
  oneOf("mode", mode, sandboxModes);
  oneOf("network", network, networks);
  if (typeof workspaceRoot !== "string" || !isNormalisedAbsolute(workspaceRoot)) throw wrong("workspaceRoot", workspaceRoot, "an absolute, normalised path, such as canonicalWorkspace gives");
  if (!Array.isArray(grants)) throw wrong("grants", grants, "a list");
  if (typeof environment !== "object" || environment === null) throw wrong("environment", environment, "what resolveEnvironment gives");
  for (const { access, scope } of grants) {
    oneOf("access", access, ["read", "write"]);
    oneOf("scope", scope, ["exact", "subtree"]);
  }
}

function oneOf(name: string, value: unknown, words: readonly string[]): void {
  if (!words.some((word) => word === value)) throw wrong(name, value, words.map((word) => JSON.stringify(word)).join(" or "));
}

function wrong(name: string, value: unknown, expected: string): TypeError {
  return new TypeError(`${name} of a policy was ${JSON.stringify(value)}; expected ${expected}`);
}
