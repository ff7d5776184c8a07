import { createHash } from "node:crypto";
import type { PermissionRequest } from "@fencepost/core";

/**
 * What a yes is a yes to: the call and everything its card asks for. Two cards with one digest ask the same thing;
 * ids that are new for each question, and what was refused before, are not part of it.
 */
export function cardDigest(input: unknown, card: PermissionRequest): string {
  const { requestId: _requestId, callId: _callId, earlierRefusal: _earlierRefusal, ...asked } = card;
  return createHash("sha256").update(canonical([input, asked])).digest("base64url");
}

/** JSON with sorted keys. Inputs come from JSON, so there are no cycles. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => {
    if (typeof inner !== "object" || inner === null || Array.isArray(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).toSorted(([left], [right]) => (left < right ? -1 : 1)));
  });
}
