import { isFileChangeArtifact, failed, type FileChange, type ProgressSink, type ToolResult } from "@fencepost/contract";
import type { PathGrant, SandboxMode, SandboxPolicy } from "@fencepost/sandbox";
import type { FinalizedToolset, PreparedCall } from "@fencepost/tools";
import type { AskSignals } from "../approval/ask.ts";
import type { Approver } from "../approval/approver.ts";
import { authorise, judge, type Authorisation, type AuthorisationRules } from "../approval/authorise.ts";
import { cancelledBeforeStartText } from "../approval/refusal-texts.ts";
import type { CallHooks } from "./call-hooks.ts";
import type { CallRecord, DecisionSource } from "./call-record.ts";
import { executeCall } from "./execute-call.ts";
import type { Refusals } from "./refusals.ts";
import { afterHook, beforeHook } from "./run-hooks.ts";
import type { CallPreview } from "./session.ts";

/** What the pipeline needs of its session. */
export interface PipelineHost {
  readonly sessionId: string;
  readonly toolset: FinalizedToolset;
  readonly authorisation: AuthorisationRules;
  readonly refusals: Refusals;
  readonly hooks: CallHooks;
  readonly cancelGraceMs: number;
  readonly now: () => number;
  /** Aborted when the session closes. */
  readonly ownerGone: AbortSignal;
}

export interface PipelineCall {
  readonly callId: string;
  readonly toolId: string;
  readonly input: unknown;
  /** The session's policy as of this call, without grants. */
  readonly policy: SandboxPolicy;
  readonly signal: AbortSignal;
  readonly onProgress: ProgressSink | undefined;
  /** Answers this call's card in place of the session's. */
  readonly approver?: Approver | undefined;
}

/** One call's result, its record and the file changes it made. */
export interface CallOutcome {
  readonly result: ToolResult;
  readonly record: CallRecord;
  readonly changes: readonly FileChange[];
  /** The user said no: a turn stops here. */
  readonly deniedByUser: boolean;
}

const pathsMovedText =
  "What the requested paths lead to changed while the user was being asked, so nothing was done. Retry the call if it is still needed; the user will be asked again.";

/** Validate, prepare, authorise, stamp, execute, record: in this order, each once. Never rejects. */
export async function runCall(host: PipelineHost, call: PipelineCall): Promise<CallOutcome> {
  const startedAt = host.now();
  let prepared: PreparedCall | undefined;
  const end = (result: ToolResult, authorisation: Authorisation, allowed: boolean): CallOutcome => ({
    result,
    record: recordOf(call, prepared, authorisation, { allowed, result, durationMs: host.now() - startedAt }),
    changes: result.artifacts.filter(isFileChangeArtifact).map((artifact) => artifact.payload),
    deniedByUser: authorisation.source === "user" && !allowed,
  });
  const refuse = (source: DecisionSource, result: ToolResult): CallOutcome => end(result, { source, permissionWaitMs: 0 }, false);

  if (call.signal.aborted) return refuse("system", failed("cancelled", cancelledBeforeStartText));
  const preparation = await prepareCall(host.toolset, call);
  if (preparation.kind === "refused") return refuse(refusalSource(preparation.result), preparation.result);
  prepared = preparation;

  const hookRefusal = await beforeHook(host.hooks, call.callId, prepared);
  if (hookRefusal) return refuse("system", hookRefusal);
  if (call.signal.aborted) return refuse("system", failed("cancelled", cancelledBeforeStartText));

  const authorisation = await authorise(authorisationCall(host, call, prepared), rulesOf(host, call));
  if (authorisation.result) return end(authorisation.result, authorisation, false);

  const grants = prepared.escalation?.grants ?? [];
  if (grants.length > 0 && authorisation.source === "user" && !(await leadsToTheSame(host.toolset, call, grants))) {
    return end(failed("permission_denied", pathsMovedText), { ...authorisation, source: "system" }, false);
  }
  if (call.signal.aborted) return end(failed("cancelled", cancelledBeforeStartText), { ...authorisation, source: "system" }, false);

  const policy = grants.length > 0 ? call.policy.withGrants(grants) : call.policy;
  const { toolset, cancelGraceMs } = host;
  const { callId, signal, onProgress } = call;
  const raw = await executeCall({ toolset, prepared, callId, signal, policy, onProgress, cancelGraceMs });
  host.refusals.note(prepared, raw);
  return end(await afterHook(host.hooks, call.callId, prepared, raw), authorisation, true);
}

/** What would become of a call, as far as is known without asking anybody and without running anything. */
export async function previewCall(host: PipelineHost, call: PipelineCall): Promise<CallPreview> {
  const prepared = await prepareCall(host.toolset, call);
  if (prepared.kind === "refused") return prepared;
  const judgement = judge(authorisationCall(host, call, prepared), rulesOf(host, call));
  if (judgement.kind === "asks") return { kind: "asks", card: judgement.card };
  return judgement.kind === "refused" ? { kind: "refused", result: judgement.result } : { kind: "runs" };
}

function rulesOf({ authorisation }: PipelineHost, { approver }: PipelineCall): AuthorisationRules {
  return approver ? { ...authorisation, approver } : authorisation;
}

async function prepareCall(toolset: FinalizedToolset, call: PipelineCall): ReturnType<FinalizedToolset["prepare"]> {
  try {
    return await toolset.prepare({ toolId: call.toolId, input: call.input }, call.policy);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { kind: "refused", result: failed("execution_failed", `${call.toolId} could not be prepared: ${reason}. Nothing was done; report the failure.`) };
  }
}

function authorisationCall(host: PipelineHost, call: PipelineCall, prepared: PreparedCall): Parameters<typeof authorise>[0] {
  const signals: AskSignals = { cancelled: call.signal, ownerGone: host.ownerGone };
  return {
    callId: call.callId,
    sessionId: host.sessionId,
    prepared,
    policy: call.policy,
    earlierRefusal: host.refusals.earlier(prepared),
    signals,
  };
}

/** A link may have been turned while the card was open: what was approved is what the card showed. */
async function leadsToTheSame(toolset: FinalizedToolset, call: PipelineCall, approved: readonly PathGrant[]): Promise<boolean> {
  const again = await prepareCall(toolset, call);
  if (again.kind === "refused") return false;
  const grants = again.escalation?.grants ?? [];
  return grants.length === approved.length && grants.every((grant, index) => sameGrant(grant, approved[index]));
}

function sameGrant(left: PathGrant, right: PathGrant | undefined): boolean {
  return left.path === right?.path && left.access === right.access && left.scope === right.scope;
}

/** A rule that nobody can answer, or a call that was not one. */
function refusalSource(result: ToolResult): DecisionSource {
  if (result.error?.code === "permission_denied") return "builtin";
  return result.error?.code === "sandbox_unavailable" ? "sandbox_unavailable" : "system";
}

interface Ending {
  readonly allowed: boolean;
  readonly result: ToolResult;
  readonly durationMs: number;
}

function recordOf(call: PipelineCall, prepared: PreparedCall | undefined, authorisation: Authorisation, ending: Ending): CallRecord {
  const mode: SandboxMode = call.policy.mode;
  return {
    callId: call.callId,
    toolId: call.toolId,
    mode,
    decision: ending.allowed ? "allowed" : "denied",
    source: authorisation.source,
    escalationPaths: (prepared?.escalation?.grants ?? []).map((grant) => grant.path),
    ...(prepared?.escalation && { justification: prepared.escalation.justification }),
    ...(prepared?.danger && { dangerKey: prepared.danger.key }),
    permissionWaitMs: authorisation.permissionWaitMs,
    status: ending.result.status,
    sandboxDenied: ending.result.sandboxDenied,
    durationMs: ending.durationMs,
  };
}
