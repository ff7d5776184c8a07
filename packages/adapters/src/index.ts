export { plainResult, type PlainResult } from "./shared/plain-result.ts";
export { protocolApprover } from "./shared/protocol-approver.ts";
export { foreignStatus, foreignStatuses, type StatusOptions } from "./shared/status.ts";
export type { AskingHost, ToolHost } from "./shared/tool-host.ts";
