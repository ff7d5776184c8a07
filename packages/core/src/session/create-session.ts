import { failed, type ToolResult, type ToolStatus } from "@fencepost/contract";
import { sandboxModes, type SandboxAvailability, type SandboxMode, type SandboxPolicy } from "@fencepost/sandbox";
import type { FinalizedToolset } from "@fencepost/tools";
import type { Approver } from "../approval/approver.ts";
import type { ApprovalPreset } from "../approval/preset.ts";
import { cancelledBeforeStartText } from "../approval/refusal-texts.ts";
import { deferred } from "../async/deferred.ts";
import { createChangeLedger } from "../changes/change-ledger.ts";
import { moveChanges, refusedChange, type ChangeDirection, type ChangeFunctions } from "../changes/move-changes.ts";
import type { CallHooks } from "./call-hooks.ts";
import { takeCallId } from "./call-ids.ts";
import { runCall, type PipelineHost } from "./call-pipeline.ts";
import type { CallRecord } from "./call-record.ts";
import { cancelGraceMs } from "./execute-call.ts";
import { createRecordLog } from "./record-log.ts";
import { createRefusals } from "./refusals.ts";
import { createSerialQueue } from "./serial-queue.ts";
import type { CallRequest, ChangeOutcome, Session } from "./session.ts";

/** What a session is made of: everything that touches the machine comes from outside. */
export interface SessionParts {
  readonly id: string;
  readonly workspace: string;
  readonly mode: SandboxMode;
  readonly toolset: FinalizedToolset;
  readonly sandbox: SandboxAvailability & { readonly backend: string };
  /** The policy of a mode, without grants. */
  readonly policy: (mode: SandboxMode) => SandboxPolicy;
  readonly approver: Approver | undefined;
  readonly preset: ApprovalPreset;
  readonly changes: ChangeFunctions;
  readonly hooks?: CallHooks;
  readonly onWarning?: (text: string) => void;
  readonly cancelGraceMs?: number;
  readonly now?: () => number;
  /** Lets go of what was opened for the session. */
  readonly release: () => Promise<void>;
}

export const allowAllWarning = "approvals: allow-all answers every question with yes, also for paths beyond the policy and for commands that delete";

interface LiveCall {
  readonly request: CallRequest;
  readonly controller: AbortController;
  started: boolean;
  /** Answers the caller of a call that has not started. */
  readonly giveUp: (result: ToolResult) => void;
}

const closedText = "The session is closed, so nothing was done. Open a new session.";

/** The one owner of a session's state: every change to it is a method here. */
export function createSession(parts: SessionParts): Session {
  const now = parts.now ?? (() => performance.now());
  const queue = createSerialQueue();
  const ledger = createChangeLedger();
  const log = createRecordLog();
  const usedCallIds = new Set<string>();
  const live = new Map<string, LiveCall>();
  const closing = new AbortController();
  let mode = parts.mode;
  let closed: Promise<void> | undefined;
  let warned = false;

  const host: PipelineHost = {
    sessionId: parts.id,
    toolset: parts.toolset,
    refusals: createRefusals(),
    hooks: parts.hooks ?? {},
    cancelGraceMs: parts.cancelGraceMs ?? cancelGraceMs,
    now,
    ownerGone: closing.signal,
    authorisation: {
      preset: parts.preset,
      approver: parts.approver,
      sandbox: parts.sandbox,
      now,
      onAllowAll() {
        if (!warned) parts.onWarning?.(allowAllWarning);
        warned = true;
      },
      onRequest: () => undefined,
      onResolved: () => undefined,
    },
  };

  const refuse = (request: CallRequest, result: ToolResult): ToolResult => {
    log.add(refusedRecord(request, mode, result.status));
    return result;
  };

  const call = async (request: CallRequest): Promise<ToolResult> => {
    if (closed) return refuse(request, failed("cancelled", closedText));
    const badId = takeCallId(usedCallIds, request.callId);
    if (badId) return refuse(request, badId);
    const controller = new AbortController();
    const gaveUp = deferred<ToolResult>();
    live.set(request.callId, { request, controller, started: false, giveUp: gaveUp.resolve });
    const ran = queue.run(async () => {
      const entry = live.get(request.callId);
      if (!entry) return undefined;
      entry.started = true;
      const outcome = await runCall(host, {
        callId: request.callId,
        toolId: request.toolId,
        input: request.input,
        policy: parts.policy(mode),
        signal: controller.signal,
        onProgress: request.onProgress,
      });
      live.delete(request.callId);
      ledger.add(request.callId, outcome.changes);
      log.add(outcome.record);
      return outcome.result;
    });
    const result = await Promise.race([gaveUp.promise, ran]);
    return result ?? (await gaveUp.promise);
  };

  const cancel = (callId: string): boolean => {
    const entry = live.get(callId);
    if (!entry || entry.controller.signal.aborted) return false;
    entry.controller.abort();
    if (!entry.started) {
      live.delete(callId);
      entry.giveUp(refuse(entry.request, failed("cancelled", cancelledBeforeStartText)));
    }
    return true;
  };

  const change = async (direction: ChangeDirection, ids: readonly string[]): Promise<ChangeOutcome> => {
    if (closed) return refusedChange("closed", closedText);
    if (queue.size > 0) return refusedChange("busy", `A call is running or waiting, so nothing was touched. ${direction === "undo" ? "Undo" : "Reapply"} when it has ended, or cancel it first.`);
    return queue.run(() => moveChanges(direction, ids, { ledger, functions: parts.changes, policy: parts.policy(mode) }));
  };

  return {
    id: parts.id,
    workspace: parts.workspace,
    get mode() {
      return mode;
    },
    sandbox: parts.sandbox,
    definitions: parts.toolset.definitions,
    call,
    cancel,
    undo: (ids) => change("undo", ids),
    reapply: (ids) => change("reapply", ids),
    setMode(next) {
      if (!sandboxModes.includes(next)) throw new RangeError(`mode must be one of ${sandboxModes.join(", ")}, got ${String(next)}`);
      mode = next;
    },
    get records(): readonly CallRecord[] {
      return log.records;
    },
    close() {
      closed ??= (async () => {
        closing.abort();
        for (const callId of [...live.keys()]) cancel(callId);
        await queue.idle();
        await parts.release();
      })();
      return closed;
    },
  };
}

function refusedRecord(request: Pick<CallRequest, "callId" | "toolId">, mode: SandboxMode, status: ToolStatus): CallRecord {
  return {
    callId: request.callId,
    toolId: request.toolId,
    mode,
    decision: "denied",
    source: "system",
    escalationPaths: [],
    permissionWaitMs: 0,
    status,
    sandboxDenied: false,
    durationMs: 0,
  };
}
