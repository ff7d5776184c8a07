import type { CallSpan } from "./call-span.ts";

/** Takes spans, best effort: what it throws or rejects with is dropped, and nothing waits for it. */
export interface TraceSink {
  record(span: CallSpan): void | Promise<void>;
}

/** Hands one span to every sink. Never throws. */
export function recordSpan(sinks: readonly TraceSink[], span: CallSpan): void {
  for (const sink of sinks) {
    try {
      void Promise.resolve(sink.record(span)).catch(() => undefined);
    } catch {
      // A trace that fails changes nothing.
    }
  }
}
