import type { ProgressSink } from "@fencepost/contract";

/** The most that is forwarded in one interval, in bytes: a person cannot read more, and a flood must not cost time. */
const maxBytesPerInterval = 65_536;

const intervalMs = 100;

/**
 * Forwards output to whoever watches, best effort: what comes too fast is dropped, and a watcher that throws or rejects
 * is not called again. Nothing it does reaches the result.
 */
export function createProgressRelay(sink: ProgressSink): (text: Uint8Array) => void {
  let closed = false;
  let intervalStart = 0;
  let sent = 0;

  function close(): void {
    closed = true;
  }

  return (bytes) => {
    if (closed || bytes.length === 0) return;
    const now = performance.now();
    if (now - intervalStart > intervalMs) {
      intervalStart = now;
      sent = 0;
    }
    if (sent >= maxBytesPerInterval) return;
    sent += bytes.length;
    try {
      const answer: unknown = sink({ kind: "stdout", text: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("utf8") });
      if (answer instanceof Promise) answer.catch(close);
    } catch {
      close();
    }
  };
}
