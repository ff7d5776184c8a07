/** A program, or a program with its first words, that a host does not let run. */
export interface CommandRule {
  /** Compared with the last segment of the program's path. */
  readonly program: string;
  /** The words that must follow, options between them ignored: `["push"]` of `git push`. None: every use. */
  readonly subcommand?: readonly string[];
  /** For the model: why, and what to do instead. One sentence. */
  readonly reason: string;
}

/** A command that nobody is asked about, because it is refused by rule. */
export interface BlockedCommand {
  readonly key: "sudo" | "block_device" | "remove_system_root" | "change_system_root" | "shutdown" | "fork_bomb" | "host_rule";
  /** Byte offsets in the command text, end exclusive. */
  readonly span: { readonly start: number; readonly end: number };
  readonly text: string;
  /** For the model: what was refused and what to do next. */
  readonly message: string;
}
