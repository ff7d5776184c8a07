import type { Database } from "better-sqlite3";
import type { Message } from "../../conversation/message.ts";
import type { CallSpan } from "../../trace/call-span.ts";
import { withUndone } from "../change-marks.ts";
import { titleOf, type NewTurn, type SessionStore, type StoredTurn, type TurnStart } from "../session-store.ts";
import { currentOwner, isGone } from "./process-owner.ts";
import { messageOf, sessionOf, spanOf, turnOf, type TurnRow } from "./rows.ts";
import { sqliteStatements } from "./statements.ts";

const defaultSessionLimit = 100;

/** The store on an open, migrated database. Every method is one transaction. */
export function createSqliteStore(database: Database): SessionStore {
  const sql = sqliteStatements(database);
  const owner = currentOwner();

  /** Runs a method's work in one transaction that takes the write lock at its start; what it throws rejects. */
  const write = async <T>(work: () => T): Promise<T> => database.transaction(work).immediate();

  const lastSeq = (sessionId: string): number => sql.lastSeq.get(sessionId)?.seq ?? 0;

  const insert = (sessionId: string, turnId: string, messages: readonly Message[]): void => {
    let seq = lastSeq(sessionId);
    for (const message of messages) {
      seq += 1;
      sql.addMessage.run(sessionId, seq, turnId, message.role === "tool" ? message.callId : null, JSON.stringify(message));
    }
  };

  const interrupt = (row: TurnRow): StoredTurn => {
    sql.endTurn.run(JSON.stringify({ status: "interrupted" }), row.turn_id);
    return turnOf({ ...row, outcome: JSON.stringify({ status: "interrupted" }) });
  };

  const begin = ({ messages, ...turn }: NewTurn): TurnStart => {
    const known = turn.requestId === undefined ? undefined : sql.turnOfRequest.get(turn.sessionId, turn.requestId);
    if (known) return { kind: "known", turn: known.outcome === null && isGone(known.owner) ? interrupt(known) : turnOf(known) };
    const running = sql.runningTurn.get(turn.sessionId);
    if (running && !isGone(running.owner)) return { kind: "busy", turnId: running.turn_id };
    if (running) interrupt(running);
    const precededBy = lastSeq(turn.sessionId);
    sql.addTurn.run(turn.turnId, turn.sessionId, turn.requestId ?? null, turn.startedAt, owner);
    insert(turn.sessionId, turn.turnId, messages);
    sql.setTitle.run(titleOf(messages) ?? null, turn.sessionId);
    return { kind: "started", precededBy };
  };

  return {
    createSession: ({ sessionId, workspace, mode, createdAt, parentId, title, plan }) =>
      write(() => void sql.addSession.run(sessionId, workspace, mode, createdAt, parentId ?? null, title ?? null, plan ? JSON.stringify(plan) : null)),
    async session(sessionId) {
      const row = sql.session.get(sessionId);
      return row && sessionOf(row);
    },
    async sessions({ workspace, parentId, limit = defaultSessionLimit } = {}) {
      return sql.sessions.all({ workspace: workspace ?? null, parentId: parentId ?? null, limit }).map(sessionOf);
    },
    setMode: (sessionId, mode) => write(() => changed(sql.setMode.run(mode, sessionId).changes, `session ${sessionId}`)),
    setPlan: (sessionId, plan) => write(() => changed(sql.setPlan.run(JSON.stringify(plan), sessionId).changes, `session ${sessionId}`)),
    deleteSession: (sessionId) => write(() => void sql.deleteSession.run(sessionId, sessionId)),
    beginTurn: (turn) => write(() => begin(turn)),
    append: (turnId, messages) =>
      write(() => {
        const turn = sql.turn.get(turnId);
        if (!turn || turn.outcome !== null) throw new Error(`the turn ${turnId} does not run`);
        insert(turn.session_id, turnId, messages);
      }),
    endTurn: (turnId, outcome) => write(() => void sql.endTurn.run(JSON.stringify(outcome), turnId)),
    turns: async (sessionId) => sql.turns.all(sessionId).map(turnOf),
    async messages(sessionId) {
      const marks = new Map(sql.marks.all(sessionId).map((row) => [row.change_id, row.undone === 1]));
      return sql.messages.all(sessionId).map((row) => ({ turnId: row.turn_id, message: withUndone(messageOf(row), marks) }));
    },
    markChanges: (sessionId, changeIds, undone) =>
      write(() => {
        for (const changeId of changeIds) sql.markChange.run(sessionId, changeId, undone ? 1 : 0);
      }),
    saveSpan: (span) => write(() => void sql.saveSpan.run(span.sessionId, span.callId, owner, span.status === "running" ? 1 : 0, JSON.stringify(span))),
    spans: async (sessionId) => sql.spans.all(sessionId).map(spanOf),
    recover: () =>
      write(() => {
        for (const row of sql.runningSpans.all()) {
          const span: CallSpan = { ...spanOf(row), status: "outcome_unknown" };
          if (isGone(row.owner)) sql.endSpan.run(JSON.stringify(span), row.span);
        }
        return sql.allRunningTurns.all().filter((row) => isGone(row.owner)).map(interrupt);
      }),
    close: async () => void database.close(),
  };
}

function changed(rows: number, what: string): void {
  if (rows === 0) throw new Error(`there is no ${what} in this store`);
}
