import type { Access, Actor, Tier, Verdict } from "./access.ts";
import type { SandboxEnvironment } from "./environment.ts";
import type { PathGrant } from "./grant.ts";
import type { SandboxMode } from "./mode.ts";

export interface SandboxPolicyFields {
  readonly mode: SandboxMode;
  /** Canonical. */
  readonly workspaceRoot: string;
  readonly grants: readonly PathGrant[];
  readonly environment: SandboxEnvironment;
  /** `"host"` (the default) restricts nothing and promises nothing. */
  readonly network: "host" | "none";
}

/** What one tool call may read and write. Immutable. The fence and both kernel backends derive from it alone. */
export class SandboxPolicy implements SandboxPolicyFields {
  readonly mode: SandboxMode;
  readonly workspaceRoot: string;
  readonly grants: readonly PathGrant[];
  readonly environment: SandboxEnvironment;
  readonly network: "host" | "none";

  constructor(fields: SandboxPolicyFields) {
    this.mode = fields.mode;
    this.workspaceRoot = fields.workspaceRoot;
    this.grants = Object.freeze([...fields.grants]);
    this.environment = fields.environment;
    this.network = fields.network;
    Object.freeze(this);
  }

  /** The same policy with the grants of one approved call. */
  withGrants(grants: readonly PathGrant[]): SandboxPolicy {
    return new SandboxPolicy({ ...this, grants });
  }

  /** Whether `actor` may use `path` (absolute, normalised, resolved). */
  check(_path: string, _access: Access, _actor: Actor): Verdict {
    throw new Error("being written");
  }

  tier(_path: string): Tier {
    throw new Error("being written");
  }
}
