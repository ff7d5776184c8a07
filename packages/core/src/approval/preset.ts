/**
 * What a host decides before anyone is asked, on top of escalations and dangerous commands and never instead of them.
 *
 * - `ask-on-escalation` (default): asks where a call escalates or deletes.
 * - `always-ask`: asks about every call besides.
 * - `read-only`: asks about every call that is not read-only besides.
 * - `deny-all`: refuses every call, asks nothing.
 * - `allow-all`: answers every question with yes, and says so once through `onWarning`.
 *
 * No preset opens a hard-protected path or a blocked command, and none lets a command run without the sandbox.
 */
export const approvalPresets = ["ask-on-escalation", "always-ask", "read-only", "deny-all", "allow-all"] as const;

export type ApprovalPreset = (typeof approvalPresets)[number];
