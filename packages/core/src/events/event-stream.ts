import type { Artifact } from "@fencepost/contract";
import { createContentBudget } from "../changes/content-budget.ts";
import type { SequencedEvent, SessionEvent } from "./session-event.ts";
import { advance, emptySnapshot, type SessionSnapshot } from "./snapshot.ts";

/** How many past events a session keeps for replay. */
export const replayedEvents = 512;

export type EventListener = (event: SequencedEvent) => void;

export interface EventStream {
  /** Hears every later event, and first those after `after` that are still kept. Returns how to stop. */
  subscribe(listener: EventListener, options?: { readonly after?: number }): () => void;
  /** The kept events after a sequence number; `complete` is false where older ones were dropped: then start from `snapshot`. */
  since(after: number): { readonly events: readonly SequencedEvent[]; readonly complete: boolean };
  readonly snapshot: SessionSnapshot;
}

export interface EventSource extends EventStream {
  emit(event: SessionEvent): void;
}

/** A listener that throws is its own loss: events are announcements, nothing waits for them. */
export function createEventStream(start: Partial<SessionSnapshot> = {}): EventSource {
  const ring: SequencedEvent[] = [];
  const contents = createContentBudget();
  const listeners = new Set<EventListener>();
  let snapshot: SessionSnapshot = { ...emptySnapshot, ...start };
  const undelivered: SequencedEvent[] = [];
  // An event that a listener causes waits for its turn, so that every listener hears the same order.
  const deliver = (): void => {
    for (let event = undelivered[0]; event; undelivered.shift(), event = undelivered[0]) {
      for (const listener of listeners) listener(event);
    }
  };
  const replaceArtifacts = (sequence: number, artifacts: readonly Artifact[]): void => {
    const place = sequence - (ring[0]?.sequence ?? 0);
    const event = ring[place];
    if (event?.type === "tool_call_finished") ring[place] = { ...event, result: { ...event.result, artifacts } };
  };
  const since: EventStream["since"] = (after) => {
    const events = ring.filter((event) => event.sequence > after).slice(-replayedEvents);
    const missing = snapshot.sequence - after - events.length;
    return { events, complete: missing <= 0 };
  };
  return {
    get snapshot() {
      return snapshot;
    },
    since,
    subscribe(listener, { after } = {}) {
      const safe: EventListener = (event) => {
        try {
          listener(event);
        } catch {
          // See above.
        }
      };
      if (after !== undefined) for (const event of since(after).events) safe(event);
      listeners.add(safe);
      return () => void listeners.delete(safe);
    },
    emit(event) {
      const sequenced: SequencedEvent = { ...event, sequence: snapshot.sequence + 1 };
      ring.push(sequenced);
      if (sequenced.type === "tool_call_finished") contents.add(sequenced.result.artifacts, (artifacts) => replaceArtifacts(sequenced.sequence, artifacts));
      // Trimmed in one go: shifting at every event would copy the ring each time.
      if (ring.length >= 2 * replayedEvents) ring.splice(0, ring.length - replayedEvents);
      snapshot = advance(snapshot, sequenced);
      undelivered.push(sequenced);
      if (undelivered.length === 1) deliver();
    },
  };
}
