import { deferred } from "../async/deferred.ts";
import type { NoteMessage } from "../conversation/message.ts";

/** What agents have to tell their session. Arriving starts nothing: it is handed out before the next model call. */
export interface Mailbox {
  deliver(text: string, source: string): void;
  /** Hands everything out, once. */
  drain(): readonly NoteMessage[];
  readonly size: number;
  /** Fulfils once something is there, or the signal fires. */
  arrival(signal: AbortSignal): Promise<void>;
}

export function createMailbox(): Mailbox {
  let notes: NoteMessage[] = [];
  let arrived = deferred<void>();
  return {
    deliver(text, source) {
      notes.push({ role: "note", kind: "mailbox", text, source });
      arrived.resolve();
    },
    drain() {
      const drained = notes;
      notes = [];
      arrived = deferred<void>();
      return drained;
    },
    get size() {
      return notes.length;
    },
    async arrival(signal) {
      if (notes.length > 0 || signal.aborted) return;
      const aborted = deferred<void>();
      const onAbort = (): void => aborted.resolve();
      signal.addEventListener("abort", onAbort, { once: true });
      await Promise.race([arrived.promise, aborted.promise]);
      signal.removeEventListener("abort", onAbort);
    },
  };
}
