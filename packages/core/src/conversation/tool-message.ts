import type { ToolResult, ToolStatus } from "@fencepost/contract";
import type { ModelStatus, ToolCall, ToolMessage } from "./message.ts";

const modelStatuses: Readonly<Record<ToolStatus, ModelStatus>> = {
  succeeded: "success",
  failed: "error",
  denied: "denied",
  cancelled: "interrupted",
  outcome_unknown: "interrupted",
};

export function toolMessage(call: ToolCall, result: ToolResult): ToolMessage {
  return {
    role: "tool",
    callId: call.callId,
    modelCallId: call.modelCallId,
    toolId: call.toolId,
    status: modelStatuses[result.status],
    content: result.content,
    artifacts: result.artifacts,
  };
}

const missingResultText = "The session ended before this call's result was kept, so it is not known whether it ran. Look before you repeat it.";

/** Stands in a request where a call has no stored result. Never stored itself. */
export function missingToolMessage(call: ToolCall): ToolMessage {
  return {
    role: "tool",
    callId: call.callId,
    modelCallId: call.modelCallId,
    toolId: call.toolId,
    status: "interrupted",
    content: [{ type: "text", text: missingResultText }],
    artifacts: [],
  };
}
