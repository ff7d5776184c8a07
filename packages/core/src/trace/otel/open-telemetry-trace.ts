import { SpanKind, SpanStatusCode, trace, type Attributes, type Span, type Tracer } from "@opentelemetry/api";
import type { CallSpan } from "../call-span.ts";
import type { TraceSink } from "../trace-sink.ts";

/** Spans that were started and not ended are given up beyond this many: a call that never ends must not hold memory. */
const maxOpenSpans = 1_000;

/**
 * Exports one OpenTelemetry span a tool call, through whatever SDK the host has set up; without one it does nothing.
 * Named as the GenAI conventions have it (`execute_tool <name>`), with what is ours under `fencepost.`.
 *
 * @param tracer default: the global provider's, named `@fencepost/core`
 */
export function openTelemetryTrace(tracer: Tracer = trace.getTracer("@fencepost/core")): TraceSink {
  const open = new Map<string, Span>();
  return {
    record(span) {
      const key = JSON.stringify([span.sessionId, span.callId]);
      if (span.status === "running") {
        open.set(key, tracer.startSpan(`execute_tool ${span.toolId}`, { kind: SpanKind.INTERNAL, startTime: span.startedAt, attributes: startAttributes(span) }));
        dropOldest(open);
        return;
      }
      const started = open.get(key);
      open.delete(key);
      if (!started) return;
      started.setAttributes(endAttributes(span));
      if (span.status !== "succeeded") started.setStatus({ code: SpanStatusCode.ERROR, message: span.status });
      started.end(span.startedAt + span.durationMs);
    },
  };
}

function dropOldest(open: Map<string, Span>): void {
  const oldest = open.entries().next();
  if (open.size <= maxOpenSpans || oldest.done) return;
  oldest.value[1].end();
  open.delete(oldest.value[0]);
}

function startAttributes(span: CallSpan): Attributes {
  return {
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": span.toolId,
    "gen_ai.tool.call.id": span.callId,
    "gen_ai.tool.type": "function",
    "gen_ai.conversation.id": span.sessionId,
    ...(span.turnId !== undefined && { "fencepost.turn.id": span.turnId }),
    "fencepost.sandbox.mode": span.sandboxMode,
    "fencepost.session.mode": span.mode,
    "fencepost.session.mode_origin": span.sessionModeOrigin,
    "fencepost.input.bytes": span.inputBytes,
  };
}

function endAttributes(span: CallSpan): Attributes {
  return {
    "fencepost.status": span.status,
    "fencepost.result.bytes": span.resultBytes,
    "fencepost.sandbox.denied": span.sandboxDenied,
    "fencepost.permission.wait_ms": span.permissionWaitMs,
    ...(span.decision !== undefined && { "fencepost.permission.decision": span.decision }),
    ...(span.source !== undefined && { "fencepost.permission.decision_source": span.source }),
    ...(span.escalationPaths.length > 0 && { "fencepost.escalation.paths": [...span.escalationPaths] }),
    ...(span.justification !== undefined && { "fencepost.escalation.justification": span.justification }),
    ...(span.dangerKey !== undefined && { "fencepost.danger.match": span.dangerKey }),
    ...(span.status !== "succeeded" && { "error.type": span.status }),
  };
}
