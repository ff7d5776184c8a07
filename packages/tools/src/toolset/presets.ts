/** Which tools a session has, in the order they are advertised. */
export interface ToolsetConfig {
  readonly tools: readonly string[];
}

/** The whole set: what a session has unless it says otherwise. */
export const defaultPreset: ToolsetConfig = { tools: ["read", "write", "edit", "grep", "glob", "list", "bash"] };

/** For looking around: nothing that writes a file by itself. */
export const explorerPreset: ToolsetConfig = { tools: ["read", "grep", "glob", "list", "bash"] };
