import type { Access } from "./access.ts";

/** How many grants one escalation may hold. */
export const maxGrants = 16;

/** Access to one path beyond the policy, for the one call it was approved for. Write includes read. */
export interface PathGrant {
  /** Absolute, normalised, with symlinks resolved. */
  readonly path: string;
  readonly access: Access;
  /** `exact`: the path alone; `subtree`: everything below it too. */
  readonly scope: "exact" | "subtree";
}
