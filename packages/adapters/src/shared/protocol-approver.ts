import type { Approver } from "@fencepost/core";

/**
 * For `openSession`, where an adapter puts the questions through its own protocol: it tells the session, and so the
 * model, that somebody can be asked. A card that reaches it has no protocol to go through and allows nothing.
 *
 * @example
 * const session = await openSession({ workspace: ".", approver: protocolApprover });
 */
export const protocolApprover: Approver = {
  decide: () => Promise.reject(new Error("this client cannot show questions")),
};
