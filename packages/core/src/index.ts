export type { Approver, PermissionDecision, PermissionPath, PermissionRequest } from "./approval/approver.ts";
export { approvalPresets, type ApprovalPreset } from "./approval/preset.ts";
export type { CallRecord, DecisionSource } from "./session/call-record.ts";
export type { CallRequest, ChangeOutcome, OpenSessionOptions, Session } from "./session/session.ts";
