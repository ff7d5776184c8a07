/** A sub-command that deletes or forces, found by parsing the script. */
export interface DangerousCommand {
  readonly key: "rm_recursive_or_force" | "find_delete" | "git_clean_force" | "nesting_too_deep";
  /** Byte offsets of the sub-command in the command text, end exclusive. */
  readonly span: { readonly start: number; readonly end: number };
  readonly text: string;
}
