import type { EscalationWay } from "@fencepost/sandbox";
import type { SessionContext } from "./session-context.ts";

/** Whether a refused call can be retried with permissions, as every text for the model has to know. */
export function escalationWay(session: Pick<SessionContext, "sandbox" | "escalation">): EscalationWay {
  return session.sandbox.available ? session.escalation : "unavailable";
}
