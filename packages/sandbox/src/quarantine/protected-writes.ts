import { toBytes } from "../backend/byte-path.ts";
import type { SandboxPolicy } from "../policy/policy.ts";
import { stateAt } from "./entry-state.ts";
import { isDead, LiveRegistry } from "./live-registry.ts";

/** What a tool of ours needs to know and to say when it writes a protected file, because commands may be running. */
export interface ProtectedWrites {
  /**
   * Whether the file must be written in place: a running command has it mounted read-only, and a new file under its
   * name would not be covered by that mount.
   */
  mustStayInPlace(path: string): boolean;
  /** The file has been written: what it holds now is no find of a sweep, and is not put back. */
  written(path: string): void;
}

/** `policy`: of the call that writes. Paths: absolute, resolved. */
export function protectedWrites(policy: SandboxPolicy): ProtectedWrites {
  const registry = new LiveRegistry(policy.environment.stateHome);
  const concerns = (path: string): boolean => {
    const hits = policy.matches(path);
    if (hits.hardProtected === undefined && hits.sensitive === undefined) return false;
    return registry.others("", policy.workspaceRoot).some((command) => !isDead(command));
  };
  return {
    mustStayInPlace: concerns,
    written: (path) => {
      if (concerns(path)) registry.allowed.add({ path: toBytes(path), state: stateAt(toBytes(path)) });
    },
  };
}
