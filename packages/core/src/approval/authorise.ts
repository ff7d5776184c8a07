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

/** What the rules say of a call before anyone is asked. */
export type Judgement =
  | { readonly kind: "refused"; readonly source: DecisionSource; readonly result: ToolResult }
  /** `answeredAlready`: there was a question, and `allow-all` answered it. */
  | { readonly kind: "runs"; readonly source: DecisionSource; readonly answeredAlready: boolean }
  | { readonly kind: "asks"; readonly card: PermissionRequest; readonly approver: Approver };

/** Judges a call that `prepare` let through. Asks nobody. */
export function judge(call: Omit<AuthorisationCall, "signals">, rules: Pick<AuthorisationRules, "preset" | "approver" | "sandbox">): Judgement {
  const { prepared } = call;
  if (prepared.facts.kind === "runs" && !rules.sandbox.available) {
    return { kind: "refused", source: "sandbox_unavailable", result: failed("sandbox_unavailable", sandboxUnavailableText(rules.sandbox.reason)) };
  }
  if (rules.preset === "deny-all") return { kind: "refused", source: "builtin", result: failed("permission_denied", deniedByPresetText) };
  const kinds = questionsFor(prepared, rules.preset);
  if (kinds.length === 0) return { kind: "runs", source: "sandbox", answeredAlready: false };
  if (rules.preset === "allow-all") return { kind: "runs", source: "builtin", answeredAlready: true };
  if (!rules.approver) return { kind: "refused", source: "non_interactive", result: failed("permission_denied", nobodyToAskText(kinds, prepared)) };
  return { kind: "asks", card: permissionRequest({ ...call, kinds }), approver: rules.approver };
}

/** Decides about a call that `prepare` let through. Asks at most once; whatever is not a clear yes is a no. */
export async function authorise(call: AuthorisationCall, rules: AuthorisationRules): Promise<Authorisation> {
  const judgement = judge(call, rules);
  if (judgement.kind === "refused") return { source: judgement.source, permissionWaitMs: 0, result: judgement.result };
  if (judgement.kind === "runs") {
    if (judgement.answeredAlready) rules.onAllowAll();
    return { source: judgement.source, permissionWaitMs: 0 };
  }
  const { card, approver } = judgement;
  const askedAt = rules.now();
  rules.onRequest(card);
  const answer = await ask(approver, card, call.signals);
  rules.onResolved(card, answer.kind);
  return afterAnswer(answer, rules.now() - askedAt);
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
