import { defaultCommandOptions, type CommandOptions } from "../commands/command-options.ts";
import type { SearchBudget } from "../search/search-backend.ts";

/** Choices fixed at `finalize`. Each has a default that is the safest. */
export interface ToolOptions {
  /** Above it a read returns its window without an observation. Default 4 GiB. */
  readonly readMaxScanBytes: number;
  /** What write does with an existing file. */
  readonly writeExisting: "after-read" | "refuse";
  readonly editMatching: "exact" | "tolerant";
  readonly echoDiff: "none" | "hunks";
  readonly readScope: "host-except-credentials" | "workspace";
  /** The most a command may ask for, in milliseconds: 120,000, or up to 600,000. */
  readonly maxCommandTimeoutMs: number;
  /** How long grep and glob search, in milliseconds. Default 30,000. */
  readonly searchTimeoutMs: number;
  /** What one search of grep or glob may take, beside its time. Default: no bounds. */
  readonly scanBudget: SearchBudget;
  /** Names of directories that grep and glob do not enter, at any depth, unless `path` leads into one. Default: none. */
  readonly extraSkipDirs: readonly string[];
  readonly commands: CommandOptions;
}

export const defaultToolOptions: ToolOptions = {
  readMaxScanBytes: 4 * 1024 ** 3,
  writeExisting: "after-read",
  editMatching: "exact",
  echoDiff: "none",
  readScope: "host-except-credentials",
  maxCommandTimeoutMs: 120_000,
  searchTimeoutMs: 30_000,
  scanBudget: {},
  extraSkipDirs: [],
  commands: defaultCommandOptions,
};
