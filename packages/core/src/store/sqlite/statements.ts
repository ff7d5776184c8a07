import type { Database, Statement } from "better-sqlite3";

/** Every statement of the store, prepared once. */
export function sqliteStatements(database: Database): Readonly<Record<keyof typeof texts, Statement>> {
  const prepared = Object.entries(texts).map(([name, text]) => [name, database.prepare(text)] as const);
  return Object.fromEntries(prepared) as Record<keyof typeof texts, Statement>;
}

const texts = {
  addSession: "INSERT INTO sessions (session_id, workspace, mode, created_at, parent_id, title, plan) VALUES (?, ?, ?, ?, ?, ?, ?)",
  session: "SELECT * FROM sessions WHERE session_id = ?",
  sessions: "SELECT * FROM sessions WHERE parent_id IS $parentId AND ($workspace IS NULL OR workspace = $workspace) ORDER BY created_at DESC, rowid DESC LIMIT $limit",
  setMode: "UPDATE sessions SET mode = ? WHERE session_id = ?",
  setPlan: "UPDATE sessions SET plan = ? WHERE session_id = ?",
  setTitle: "UPDATE sessions SET title = ? WHERE session_id = ? AND title IS NULL",
  deleteSession: "DELETE FROM sessions WHERE session_id = ? OR parent_id = ?",
  addTurn: "INSERT INTO turns (turn_id, session_id, request_id, started_at, owner) VALUES (?, ?, ?, ?, ?)",
  turn: "SELECT * FROM turns WHERE turn_id = ?",
  turns: "SELECT * FROM turns WHERE session_id = ? ORDER BY rowid",
  turnOfRequest: "SELECT * FROM turns WHERE session_id = ? AND request_id = ?",
  runningTurn: "SELECT * FROM turns WHERE session_id = ? AND outcome IS NULL",
  allRunningTurns: "SELECT * FROM turns WHERE outcome IS NULL ORDER BY rowid",
  endTurn: "UPDATE turns SET outcome = ? WHERE turn_id = ? AND outcome IS NULL",
  lastSeq: "SELECT coalesce(max(seq), 0) AS seq FROM messages WHERE session_id = ?",
  addMessage: "INSERT INTO messages (session_id, seq, turn_id, call_id, body) VALUES (?, ?, ?, ?, ?)",
  messages: "SELECT turn_id, body FROM messages WHERE session_id = ? ORDER BY seq",
  markChange: "INSERT INTO change_marks (session_id, change_id, undone) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET undone = excluded.undone",
  marks: "SELECT change_id, undone FROM change_marks WHERE session_id = ?",
  saveSpan:
    "INSERT INTO spans (session_id, call_id, owner, running, body) VALUES (?, ?, ?, ?, ?) ON CONFLICT (session_id, call_id) DO UPDATE SET running = excluded.running, body = excluded.body",
  spans: "SELECT span, owner, body FROM spans WHERE session_id = ? ORDER BY span",
  runningSpans: "SELECT span, owner, body FROM spans WHERE running = 1",
  endSpan: "UPDATE spans SET running = 0, body = ? WHERE span = ?",
} as const;
