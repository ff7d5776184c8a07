/**
 * What is asked, on top of escalations and dangerous commands and never instead of them. `allow-all` answers them with
 * yes; nothing answers for hard-protected paths.
 */
export const approvalPresets = ["ask-on-escalation", "always-ask", "read-only", "deny-all", "allow-all"] as const;

export type ApprovalPreset = (typeof approvalPresets)[number];
