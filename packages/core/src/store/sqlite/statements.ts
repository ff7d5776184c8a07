import type { Database, Statement } from "better-sqlite3";
import type { MarkRow, MessageRow, SeqRow, SessionRow, SpanRow, TurnRow } from "./rows.ts";

/** Every statement of the store, prepared once. */
export function sqliteStatements(database: Database) {
  const change = (text: string): Statement => database.prepare(text);
  return {
    addSession: change("INSERT INTO sessions (session_id, workspace, mode, created_at, parent_id, title, plan) VALUES (?, ?, ?, ?, ?, ?, ?)"),
    session: database.prepare<unknown[], SessionRow>("SELECT * FROM sessions WHERE session_id = ?"),
    sessions: database.prepare<unknown[], SessionRow>(
      "SELECT * FROM sessions WHERE parent_id IS $parentId AND ($workspace IS NULL OR workspace = $workspace) ORDER BY created_at DESC, rowid DESC LIMIT $limit",
    ),
    setMode: change("UPDATE sessions SET mode = ? WHERE session_id = ?"),
    setPlan: change("UPDATE sessions SET plan = ? WHERE session_id = ?"),
    setTitle: change("UPDATE sessions SET title = ? WHERE session_id = ? AND title IS NULL"),
    deleteSession: change("DELETE FROM sessions WHERE session_id = ? OR parent_id = ?"),
    addTurn: change("INSERT INTO turns (turn_id, session_id, request_id, started_at, owner) VALUES (?, ?, ?, ?, ?)"),
    turn: database.prepare<unknown[], TurnRow>("SELECT * FROM turns WHERE turn_id = ?"),
    turns: database.prepare<unknown[], TurnRow>("SELECT * FROM turns WHERE session_id = ? ORDER BY rowid"),
    turnOfRequest: database.prepare<unknown[], TurnRow>("SELECT * FROM turns WHERE session_id = ? AND request_id = ?"),
    runningTurn: database.prepare<unknown[], TurnRow>("SELECT * FROM turns WHERE session_id = ? AND outcome IS NULL"),
    allRunningTurns: database.prepare<unknown[], TurnRow>("SELECT * FROM turns WHERE outcome IS NULL ORDER BY rowid"),
    endTurn: change("UPDATE turns SET outcome = ? WHERE turn_id = ? AND outcome IS NULL"),
    lastSeq: database.prepare<unknown[], SeqRow>("SELECT coalesce(max(seq), 0) AS seq FROM messages WHERE session_id = ?"),
    addMessage: change("INSERT INTO messages (session_id, seq, turn_id, call_id, body) VALUES (?, ?, ?, ?, ?)"),
    messages: database.prepare<unknown[], MessageRow>("SELECT turn_id, body FROM messages WHERE session_id = ? ORDER BY seq"),
    markChange: change("INSERT INTO change_marks (session_id, change_id, undone) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET undone = excluded.undone"),
    marks: database.prepare<unknown[], MarkRow>("SELECT change_id, undone FROM change_marks WHERE session_id = ?"),
    saveSpan: change(
      "INSERT INTO spans (session_id, call_id, owner, running, body) VALUES (?, ?, ?, ?, ?) ON CONFLICT (session_id, call_id) DO UPDATE SET running = excluded.running, body = excluded.body",
    ),
    spans: database.prepare<unknown[], SpanRow>("SELECT span, owner, body FROM spans WHERE session_id = ? ORDER BY span"),
    runningSpans: database.prepare<unknown[], SpanRow>("SELECT span, owner, body FROM spans WHERE running = 1"),
    endSpan: change("UPDATE spans SET running = 0, body = ? WHERE span = ?"),
  };
}
