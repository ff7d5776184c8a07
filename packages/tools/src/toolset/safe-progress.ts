import type { ProgressSink } from "@fencepost/contract";

/** Progress that cannot change a result: a consumer that throws, rejects or is gone is not called again. */
export interface SafeProgress {
  readonly sink: ProgressSink;
  /** The call has its result: what still comes is dropped. */
  close(): void;
}

export function safeProgress(consumer: ProgressSink): SafeProgress {
  let open = true;
  const close = (): void => {
    open = false;
  };
  return {
    sink(event) {
      if (!open) return;
      try {
        const answer: unknown = consumer(event);
        if (answer instanceof Promise) answer.catch(close);
      } catch {
        close();
      }
    },
    close,
  };
}
