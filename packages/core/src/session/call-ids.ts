import { failed, type ToolResult } from "@fencepost/contract";

const maxCallIdCharacters = 200;

/** The refusal of a call id that cannot be used, or undefined where it was free and is now taken. */
export function takeCallId(used: Set<string>, callId: unknown): ToolResult | undefined {
  if (typeof callId !== "string" || callId === "" || callId.length > maxCallIdCharacters || callId.includes("\0")) {
    return failed("invalid_arguments", `invalid tool input: the call id must be a text of 1 to ${maxCallIdCharacters} characters without NUL; give the call such an id.`);
  }
  if (used.has(callId)) {
    return failed("invalid_arguments", `invalid tool input: the call id "${callId}" was used before in this session; give each call an id of its own.`);
  }
  used.add(callId);
  return undefined;
}
