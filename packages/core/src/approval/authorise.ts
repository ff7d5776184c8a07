import { failed, type ToolResult } from "@fencepost/contract";
import { sandboxUnavailableText, type SandboxAvailability, type SandboxPolicy } from "@fencepost/sandbox";
import type { PreparedCall } from "@fencepost/tools";
import type { DecisionSource } from "../session/call-record.ts";
import { ask, type Answer, type AskSignals } from "./ask.ts";
import type { Approver, PermissionRequest } from "./approver.ts";
import { permissionRequest } from "./card.ts";
import type { ApprovalPreset } from "./preset.ts";
import { questionsFor } from "./question.ts";
import {
  approverFailedText,
  cancelledWhileAskedText,
  deniedByPresetText,
  deniedByUserText,
  nobodyToAskText,
  ownerGoneText,
} from "./refusal-texts.ts";

/** One call's decision. `result` is set exactly where the call may not run. */
export interface Authorisation {
  readonly source: DecisionSource;
  readonly permissionWaitMs: number;
  readonly result?: ToolResult;
}

export interface AuthorisationRules {
  readonly preset: ApprovalPreset;
  /** None: nobody can be asked. */
  readonly approver: Approver | undefined;
  readonly sandbox: SandboxAvailability;
  readonly now: () => number;
  /** `allow-all` answered a question: said once a session by the caller. */
  readonly onAllowAll: () => void;
  readonly onRequest: (request: PermissionRequest) => void;
  readonly onResolved: (request: PermissionRequest, answer: Answer["kind"]) => void;
}

export interface AuthorisationCall {
  readonly callId: string;
  readonly sessionId: string;
  readonly prepared: PreparedCall;
  readonly policy: SandboxPolicy;
  readonly earlierRefusal: string | undefined;
  readonly signals: AskSignals;
}

/** Decides about a call that `prepare` let through. Asks at most once; whatever is not a clear yes is a no. */
export async function authorise(call: AuthorisationCall, rules: AuthorisationRules): Promise<Authorisation> {
  const { prepared } = call;
  if (prepared.facts.kind === "runs" && !rules.sandbox.available) {
    return without("sandbox_unavailable", failed("sandbox_unavailable", sandboxUnavailableText(rules.sandbox.reason)));
  }
  if (rules.preset === "deny-all") return without("builtin", failed("permission_denied", deniedByPresetText));
  const kinds = questionsFor(prepared, rules.preset);
  if (kinds.length === 0) return { source: "sandbox", permissionWaitMs: 0 };
  if (rules.preset === "allow-all") {
    rules.onAllowAll();
    return { source: "builtin", permissionWaitMs: 0 };
  }
  if (!rules.approver) return without("non_interactive", failed("permission_denied", nobodyToAskText(kinds, prepared)));
  const request = permissionRequest({ ...call, kinds });
  const askedAt = rules.now();
  rules.onRequest(request);
  const answer = await ask(rules.approver, request, call.signals);
  rules.onResolved(request, answer.kind);
  return afterAnswer(answer, rules.now() - askedAt);
}

function without(source: DecisionSource, result: ToolResult): Authorisation {
  return { source, permissionWaitMs: 0, result };
}

function afterAnswer(answer: Answer, permissionWaitMs: number): Authorisation {
  switch (answer.kind) {
    case "allow":
      return { source: "user", permissionWaitMs };
    case "deny":
      return { source: "user", permissionWaitMs, result: failed("permission_denied", deniedByUserText) };
    case "cancelled":
      return { source: "system", permissionWaitMs, result: failed("cancelled", cancelledWhileAskedText) };
    case "gone":
      return { source: "system", permissionWaitMs, result: failed("outcome_unknown", ownerGoneText) };
    default:
      return { source: "system", permissionWaitMs, result: failed("permission_denied", approverFailedText(answer.reason)) };
  }
}
