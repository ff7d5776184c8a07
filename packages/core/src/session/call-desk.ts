import { failed, type FileChange, type ToolResult } from "@fencepost/contract";
import type { SandboxMode, SandboxPolicy } from "@fencepost/sandbox";
import { cancelledBeforeStartText } from "../approval/refusal-texts.ts";
import { deferred } from "../async/deferred.ts";
import type { ControlTool } from "../control/control-tool.ts";
import type { EventSource } from "../events/event-stream.ts";
import { takeCallId } from "./call-ids.ts";
import { runCall, type CallOutcome, type PipelineHost } from "./call-pipeline.ts";
import type { CallRecord, DecisionSource } from "./call-record.ts";
import type { SerialQueue } from "./serial-queue.ts";
import type { CallRequest } from "./session.ts";
import type { SpanRecorder } from "./span-recorder.ts";

/** Takes a session's calls: ids, queue, cancellation, records. One result a call, whatever happens. */
export interface CallDesk {
  readonly call: (request: CallRequest, place?: CallPlace) => Promise<DeskOutcome>;
  /** A call that is refused before it reaches the pipeline: it is recorded and announced like any other. */
  readonly refuse: (request: CallRequest, result: ToolResult, place?: CallPlace) => void;
  readonly cancel: (callId: string) => boolean;
  readonly cancelAll: () => void;
}

export interface CallPlace {
  readonly turnId: string;
  readonly signal: AbortSignal;
  /** May run beside other shared calls. */
  readonly shared?: boolean;
}

export type DeskOutcome = Pick<CallOutcome, "result" | "deniedByUser">;

export interface CallDeskParts {
  readonly queue: SerialQueue;
  readonly pipeline: PipelineHost;
  readonly controls: ReadonlyMap<string, ControlTool>;
  readonly events: EventSource;
  readonly spans: SpanRecorder;
  readonly mode: () => SandboxMode;
  readonly policy: (mode: SandboxMode) => SandboxPolicy;
  readonly usedCallIds: Set<string>;
  readonly addRecord: (record: CallRecord) => void;
  readonly addChanges: (callId: string, changes: readonly FileChange[]) => void;
}

interface LiveCall {
  readonly controller: AbortController;
  started: boolean;
  /** Answers the caller of a call that has not started. */
  readonly giveUp: () => void;
}

export function createCallDesk(parts: CallDeskParts): CallDesk {
  const live = new Map<string, LiveCall>();

  /** What is said and kept of one call from its start to its end. */
  const open = (request: CallRequest, place: CallPlace | undefined): ((outcome: CallOutcome) => DeskOutcome) => {
    const { callId, toolId, input } = request;
    const turn = place ? { turnId: place.turnId } : {};
    const endSpan = parts.spans.start({ callId, toolId, input, turnId: place?.turnId, mode: parts.mode() });
    parts.events.emit({ type: "tool_call_started", callId, toolId, input, ...turn });
    return (outcome) => {
      live.delete(callId);
      parts.addChanges(callId, outcome.changes);
      parts.addRecord(outcome.record);
      endSpan(outcome.record, outcome.result);
      // A turn announces the end itself, once the result is stored.
      if (!place) parts.events.emit({ type: "tool_call_finished", callId, toolId, result: outcome.result });
      return outcome;
    };
  };

  const withoutPipeline = (request: CallRequest, result: ToolResult, source: DecisionSource = "system", durationMs = 0): CallOutcome => ({
    result,
    record: plainRecord(request, parts.mode(), { source, result, durationMs }),
    changes: [],
    deniedByUser: false,
  });

  const refuse: CallDesk["refuse"] = (request, result, place) => void open(request, place)(withoutPipeline(request, result));

  const control = async (tool: ControlTool, request: CallRequest, signal: AbortSignal): Promise<CallOutcome> => {
    const startedAt = parts.pipeline.now();
    const result = await tool.run(request.input, { callId: request.callId, signal });
    return withoutPipeline(request, result, "control_tool", parts.pipeline.now() - startedAt);
  };

  const start = async (request: CallRequest, signal: AbortSignal, place: CallPlace | undefined): Promise<DeskOutcome> => {
    const { callId, toolId, input } = request;
    const end = open(request, place);
    const tool = parts.controls.get(toolId);
    if (tool) return end(await control(tool, request, signal));
    const onProgress: CallRequest["onProgress"] = (progress) => {
      parts.events.emit({ type: "tool_call_progress", callId, progress });
      request.onProgress?.(progress);
    };
    return end(await runCall(parts.pipeline, { callId, toolId, input, signal, onProgress, approver: request.approver, policy: parts.policy(parts.mode()) }));
  };

  const call: CallDesk["call"] = async (request, place) => {
    const badId = takeCallId(parts.usedCallIds, request.callId);
    if (badId) {
      parts.addRecord(withoutPipeline(request, badId).record);
      return { result: badId, deniedByUser: false };
    }
    const controller = new AbortController();
    const signal = place ? AbortSignal.any([controller.signal, place.signal]) : controller.signal;
    const gaveUp = deferred<DeskOutcome>();
    const entry: LiveCall = {
      controller,
      started: false,
      giveUp() {
        const result = failed("cancelled", cancelledBeforeStartText);
        refuse(request, result, place);
        gaveUp.resolve({ result, deniedByUser: false });
      },
    };
    live.set(request.callId, entry);
    // A control tool may wait for minutes and touches nothing that a call could: it does not hold the queue.
    const enqueue: SerialQueue["run"] = parts.controls.has(request.toolId) ? (task) => task() : parts.queue.run;
    const ran = enqueue(
      async () => {
        if (controller.signal.aborted && !entry.started) return gaveUp.promise;
        entry.started = true;
        return start(request, signal, place);
      },
      { shared: place?.shared ?? false },
    );
    // A cancelled turn does not wait for the queue to come to its call.
    const onTurnCancelled = (): void => void cancel(request.callId);
    place?.signal.addEventListener("abort", onTurnCancelled, { once: true });
    try {
      return await Promise.race([gaveUp.promise, ran]);
    } finally {
      place?.signal.removeEventListener("abort", onTurnCancelled);
    }
  };

  const cancel = (callId: string): boolean => {
    const entry = live.get(callId);
    if (!entry || entry.controller.signal.aborted) return false;
    entry.controller.abort();
    if (!entry.started) entry.giveUp();
    return true;
  };

  return { call, refuse, cancel, cancelAll: () => [...live.keys()].forEach(cancel) };
}

interface PlainEnding {
  readonly source: DecisionSource;
  readonly result: ToolResult;
  readonly durationMs: number;
}

/** The record of a call that needed no policy. */
function plainRecord(request: Pick<CallRequest, "callId" | "toolId">, mode: SandboxMode, { source, result, durationMs }: PlainEnding): CallRecord {
  return {
    callId: request.callId,
    toolId: request.toolId,
    mode,
    decision: source === "control_tool" ? "allowed" : "denied",
    source,
    escalationPaths: [],
    permissionWaitMs: 0,
    status: result.status,
    sandboxDenied: false,
    durationMs,
  };
}
