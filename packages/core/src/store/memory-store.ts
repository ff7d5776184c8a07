import type { CallSpan } from "../trace/call-span.ts";
import { withUndone } from "./change-marks.ts";
import { titleOf, type SessionStore, type StoredMessage, type StoredSession, type StoredTurn } from "./session-store.ts";

const defaultSessionLimit = 100;

interface Kept {
  session: StoredSession;
  readonly turns: StoredTurn[];
  readonly messages: StoredMessage[];
  readonly calls: Set<string>;
  readonly spans: Map<string, CallSpan>;
  readonly undone: Map<string, boolean>;
}

/** A store that lives and dies with its process: for embedders that keep nothing, and for tests. */
export function createMemoryStore(): SessionStore {
  const sessions = new Map<string, Kept>();
  const kept = (sessionId: string): Kept => {
    const found = sessions.get(sessionId);
    if (!found) throw new Error(`there is no session ${sessionId} in this store`);
    return found;
  };
  const ofTurn = (turnId: string): { readonly kept: Kept; readonly index: number } => {
    for (const candidate of sessions.values()) {
      const index = candidate.turns.findLastIndex((turn) => turn.turnId === turnId);
      if (index >= 0) return { kept: candidate, index };
    }
    throw new Error(`there is no turn ${turnId} in this store`);
  };
  return {
    async createSession(session) {
      if (sessions.has(session.sessionId)) throw new Error(`the session ${session.sessionId} exists already`);
      sessions.set(session.sessionId, { session, turns: [], messages: [], calls: new Set(), spans: new Map(), undone: new Map() });
    },
    session: async (sessionId) => sessions.get(sessionId)?.session,
    async sessions({ workspace, parentId, limit = defaultSessionLimit } = {}) {
      const all = [...sessions.values()].map((each) => each.session).toReversed();
      return all
        .filter((session) => session.parentId === parentId && (workspace === undefined || session.workspace === workspace))
        .toSorted((left, right) => right.createdAt - left.createdAt)
        .slice(0, limit);
    },
    async setMode(sessionId, mode) {
      const found = kept(sessionId);
      found.session = { ...found.session, mode };
    },
    async setPlan(sessionId, plan) {
      const found = kept(sessionId);
      found.session = { ...found.session, plan };
    },
    async deleteSession(sessionId) {
      for (const { session } of sessions.values()) if (session.sessionId === sessionId || session.parentId === sessionId) sessions.delete(session.sessionId);
    },
    async beginTurn({ messages, ...turn }) {
      const found = kept(turn.sessionId);
      const known = found.turns.find((each) => turn.requestId !== undefined && each.requestId === turn.requestId);
      if (known) return { kind: "known", turn: known };
      const running = found.turns.find((each) => each.outcome === undefined);
      if (running) return { kind: "busy", turnId: running.turnId };
      const precededBy = found.messages.length;
      found.turns.push(turn);
      found.messages.push(...messages.map((message) => ({ turnId: turn.turnId, message })));
      const title = found.session.title ?? titleOf(messages);
      found.session = { ...found.session, ...(title !== undefined && { title }) };
      return { kind: "started", precededBy };
    },
    async append(turnId, messages) {
      const { kept: found, index } = ofTurn(turnId);
      if (found.turns[index]?.outcome) throw new Error(`the turn ${turnId} has ended`);
      const results = messages.flatMap((message) => (message.role === "tool" ? [message.callId] : []));
      const twice = results.find((callId, place) => found.calls.has(callId) || results.indexOf(callId) !== place);
      if (twice !== undefined) throw new Error(`the call ${twice} has a result already`);
      for (const callId of results) found.calls.add(callId);
      found.messages.push(...messages.map((message) => ({ turnId, message })));
    },
    async endTurn(turnId, outcome) {
      const { kept: found, index } = ofTurn(turnId);
      const turn = found.turns[index];
      if (turn && !turn.outcome) found.turns[index] = { ...turn, outcome };
    },
    turns: async (sessionId) => [...kept(sessionId).turns],
    async messages(sessionId) {
      const { messages, undone } = kept(sessionId);
      return messages.map(({ turnId, message }) => ({ turnId, message: withUndone(message, undone) }));
    },
    async markChanges(sessionId, changeIds, undone) {
      const marks = kept(sessionId).undone;
      for (const changeId of changeIds) marks.set(changeId, undone);
    },
    saveSpan: async (span) => void kept(span.sessionId).spans.set(span.callId, span),
    spans: async (sessionId) => [...kept(sessionId).spans.values()],
    // What could be left running would be of this process, which is not gone.
    recover: async () => [],
    close: async () => undefined,
  };
}
