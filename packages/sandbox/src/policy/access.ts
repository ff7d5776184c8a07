export type Access = "read" | "write";

/** Who asks: a shell command and what it starts, or a file tool in this process. */
export type Actor = "bash" | "file-tool";

/** How strictly a path is kept, strictest first. */
export const tiers = ["hard-protected", "sensitive", "credential", "normal"] as const;

export type Tier = (typeof tiers)[number];

export type DenialReason = "hard_protected" | "sensitive" | "credential" | "outside_writable_roots";

export type Verdict = { readonly allowed: true } | { readonly allowed: false; readonly reason: DenialReason };
