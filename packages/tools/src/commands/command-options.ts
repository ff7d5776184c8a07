import { defaultResourceLimits, type ResourceLimits } from "../process/resource-limits.ts";
import type { Secrets } from "../process/output/redactor.ts";
import type { CommandRule } from "./blocked-command.ts";

/** Choices about commands, fixed at `finalize`. */
export interface CommandOptions {
  /** Where programs are told not to open editors, pagers and prompts: nobody is there to answer. */
  readonly antiHang: "none" | "background" | "all";
  /** Variables for child processes whose values are redacted from everything that comes back. */
  readonly secrets: Secrets;
  readonly limits: ResourceLimits;
  /** Refuse what nobody should approve: see `findBlockedCommand`. An accident guard, not the boundary. */
  readonly blockList: boolean;
  /** The host's own refusals, checked after the block list. */
  readonly denyRules: readonly CommandRule[];
}

export const defaultCommandOptions: CommandOptions = {
  antiHang: "background",
  secrets: {},
  limits: defaultResourceLimits,
  blockList: false,
  denyRules: [],
};
