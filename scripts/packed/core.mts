import { openSession, type AgentSession, type Approver, type PermissionRequest } from "@fencepost/core";
import { scriptedModel } from "@fencepost/core";

const approver: Approver = { decide: async (card: PermissionRequest) => (card.kinds.includes("dangerous") ? "deny" : "allow") };
export const session: Promise<AgentSession> = openSession({ workspace: ".", approver, model: scriptedModel([{ text: "hello" }]) });
