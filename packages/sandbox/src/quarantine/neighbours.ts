import { toBytes, toText, type BytePath } from "../backend/byte-path.ts";
import { isProcessRunning } from "../backend/process-identity.ts";
import { canFill } from "../backend/protected-scan.ts";
import { parentOf } from "../policy/paths.ts";
import { SandboxPolicy } from "../policy/policy.ts";
import type { BaselineStore } from "./baseline.ts";
import { isDead, type LiveCommand, type LiveRegistry } from "./live-registry.ts";
import type { Allowances } from "./sweep.ts";

/** Another command that may have made protected names which nobody has moved away yet. */
export interface Neighbour {
  /** Protected paths that were there before it. */
  readonly known: ReadonlySet<BytePath>;
  readonly policy: SandboxPolicy;
}

/** The other commands that live in a workspace, of this process and of others. `id`: the command that asks. */
export class Neighbours {
  readonly #registry: LiveRegistry;
  readonly #baselines: BaselineStore;

  constructor(registry: LiveRegistry, baselines: BaselineStore) {
    this.#registry = registry;
    this.#baselines = baselines;
  }

  alive(id: string, workspaceRoot: string): readonly LiveCommand[] {
    return this.#registry.others(id, workspaceRoot).filter((other) => !isDead(other));
  }

  /** Those whose new protected names may be there: also of one that has ended, until the sweep behind it is done. */
  makers(id: string, workspaceRoot: string): readonly Neighbour[] {
    // A host that nobody here can tell of is taken for alive, but what its command makes is not looked for.
    return this.#registry.others(id, workspaceRoot).filter((other) => isProcessRunning(other.host) !== undefined).flatMap((other) => this.#makerOf(other));
  }

  /** Those that have ended since: what one saw of theirs may be gone by now, or come back. Milliseconds since the epoch. */
  departedMakers(workspaceRoot: string, since: number): readonly Neighbour[] {
    return this.#registry.departed(workspaceRoot, since).flatMap((other) => this.#makerOf(other));
  }

  /** What they, and tools of ours meanwhile, may have written. */
  allowances(id: string, workspaceRoot: string): Allowances {
    return {
      writes: this.#registry.allowed.all(),
      policies: this.alive(id, workspaceRoot).filter((other) => other.policy.grants.length > 0).map((other) => new SandboxPolicy(other.policy)),
    };
  }

  placeholders(id: string, workspaceRoot: string): ReadonlySet<BytePath> {
    return new Set(this.alive(id, workspaceRoot).flatMap((other) => other.placeholders));
  }

  /** Placeholders of theirs that this policy's grants use too: the last command of them removes them. */
  sharedPlaceholders(policy: SandboxPolicy): readonly BytePath[] {
    const used = policy.grants.map((grant) => toBytes(grant.path));
    return [...this.placeholders("", policy.workspaceRoot)].filter((path) => used.some((grant) => grant === path || grant.startsWith(`${path}/`)));
  }

  #makerOf({ baseline: name, policy }: LiveCommand): readonly Neighbour[] {
    const baseline = this.#baselines.load(name);
    return baseline === undefined ? [] : [{ known: baseline.known, policy: new SandboxPolicy(policy) }];
  }
}

/**
 * Whether the command may have made the protected entry. It, or the sweep behind it, could take it away again behind the
 * back of the one that starts now, which would then be free to make it anew if it counted as known.
 */
export function mayHaveMade({ known, policy }: Neighbour, path: BytePath): boolean {
  if (known.has(path)) return false;
  const hits = policy.matches(toText(path));
  return (hits.hardProtected ?? hits.sensitive) !== undefined && canFill(policy, toText(parentOf(path)));
}
