import { randomUUID } from "node:crypto";
import type { SandboxPolicy } from "@fencepost/sandbox";
import type { PreparedCall } from "@fencepost/tools";
import type { PermissionRequest } from "./approver.ts";
import { coversText } from "./covers.ts";

export interface CardFacts {
  readonly callId: string;
  readonly sessionId: string;
  readonly prepared: PreparedCall;
  /** Without the grants that are asked for. */
  readonly policy: SandboxPolicy;
  readonly kinds: PermissionRequest["kinds"];
  readonly earlierRefusal: string | undefined;
}

/** Everything a person needs to decide about one call. Texts are the model's own: a host shows them as plain text. */
export function permissionRequest({ callId, sessionId, prepared, policy, kinds, earlierRefusal }: CardFacts): PermissionRequest {
  const { escalation, danger, facts } = prepared;
  return {
    requestId: randomUUID(),
    callId,
    sessionId,
    toolId: prepared.tool.id,
    kinds,
    mode: policy.mode,
    ...(facts.kind === "runs" && { command: facts.commands.join("\n") }),
    ...(facts.kind === "writes" && { targets: facts.targets }),
    ...(escalation && { justification: escalation.justification }),
    paths: (escalation?.grants ?? []).map((grant) => ({ ...grant, tier: policy.tier(grant.path) })),
    ...(danger && { danger }),
    ...(earlierRefusal !== undefined && { earlierRefusal }),
    covers: coversText(prepared, policy),
  };
}
