import { resultText, type ToolResult } from "@fencepost/contract";
import type { SandboxMode } from "@fencepost/sandbox";
import type { CallSpan, ModeOrigin } from "../trace/call-span.ts";
import { recordSpan, type TraceSink } from "../trace/trace-sink.ts";
import type { CallRecord } from "./call-record.ts";

export interface SpanStart {
  readonly callId: string;
  readonly toolId: string;
  readonly turnId: string | undefined;
  readonly mode: SandboxMode;
  readonly input: unknown;
}

/** Writes two spans a call: one when it starts, one when it has ended. */
export interface SpanRecorder {
  start(call: SpanStart): (record: CallRecord, result: ToolResult) => void;
}

export function createSpanRecorder(sessionId: string, modeOrigin: () => ModeOrigin, sinks: readonly TraceSink[]): SpanRecorder {
  return {
    start({ callId, toolId, turnId, mode, input }) {
      if (sinks.length === 0) return () => undefined;
      const running: CallSpan = {
        sessionId,
        ...(turnId !== undefined && { turnId }),
        callId,
        toolId,
        mode,
        sandboxMode: mode,
        sessionModeOrigin: modeOrigin(),
        startedAt: Date.now(),
        status: "running",
        escalationPaths: [],
        permissionWaitMs: 0,
        sandboxDenied: false,
        durationMs: 0,
        inputBytes: bytesOf(input),
        resultBytes: 0,
      };
      recordSpan(sinks, running);
      return (record, result) => recordSpan(sinks, { ...running, ...record, resultBytes: Buffer.byteLength(resultText(result)) });
    },
  };
}

function bytesOf(input: unknown): number {
  return Buffer.byteLength(typeof input === "string" ? input : (JSON.stringify(input) ?? ""));
}
