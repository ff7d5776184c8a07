import type { ModelMessage } from "ai";

/**
 * Whether the conversation holds a person's yes to this call: a request for it, and an approving response to that
 * request. A call is not run on the word of whoever calls `execute`.
 */
export function isApproved(messages: readonly ModelMessage[], toolCallId: string): boolean {
  const requests = new Set(
    messages.flatMap((message) =>
      message.role === "assistant" && typeof message.content !== "string"
        ? message.content.flatMap((part) => (part.type === "tool-approval-request" && part.toolCallId === toolCallId ? [part.approvalId] : []))
        : [],
    ),
  );
  return messages.some((message) => message.role === "tool" && message.content.some((part) => part.type === "tool-approval-response" && part.approved && requests.has(part.approvalId)));
}
