import type { Database } from "better-sqlite3";

/** One list entry a version, in order; an entry is never changed once it was released. */
const migrations: readonly string[] = [
  `
  CREATE TABLE sessions (
    session_id TEXT PRIMARY KEY,
    workspace TEXT NOT NULL,
    mode TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    parent_id TEXT,
    title TEXT,
    plan TEXT
  ) STRICT;
  CREATE INDEX sessions_by_age ON sessions (created_at);
  CREATE TABLE turns (
    turn_id TEXT PRIMARY KEY,
    session_id TEXT NOT NULL REFERENCES sessions ON DELETE CASCADE,
    request_id TEXT,
    started_at INTEGER NOT NULL,
    owner TEXT NOT NULL,
    outcome TEXT
  ) STRICT;
  CREATE INDEX turns_of_session ON turns (session_id);
  CREATE UNIQUE INDEX one_running_turn ON turns (session_id) WHERE outcome IS NULL;
  CREATE UNIQUE INDEX one_turn_a_request ON turns (session_id, request_id) WHERE request_id IS NOT NULL;
  CREATE TABLE messages (
    session_id TEXT NOT NULL REFERENCES sessions ON DELETE CASCADE,
    seq INTEGER NOT NULL,
    turn_id TEXT NOT NULL,
    call_id TEXT,
    body TEXT NOT NULL,
    PRIMARY KEY (session_id, seq)
  ) STRICT;
  CREATE UNIQUE INDEX one_result_a_call ON messages (session_id, call_id) WHERE call_id IS NOT NULL;
  CREATE TABLE change_marks (
    session_id TEXT NOT NULL REFERENCES sessions ON DELETE CASCADE,
    change_id TEXT NOT NULL,
    undone INTEGER NOT NULL,
    PRIMARY KEY (session_id, change_id)
  ) STRICT;
  CREATE TABLE spans (
    span INTEGER PRIMARY KEY,
    session_id TEXT NOT NULL REFERENCES sessions ON DELETE CASCADE,
    call_id TEXT NOT NULL,
    owner TEXT NOT NULL,
    running INTEGER NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX one_span_a_call ON spans (session_id, call_id);
  CREATE INDEX running_spans ON spans (running) WHERE running = 1;
  `,
];

/**
 * Brings a database to the newest schema. Safe where two processes open a new file at once.
 *
 * @throws {Error} where a newer version of us has written it
 */
export function migrate(database: Database): void {
  const versionOf = (): number => Number(database.pragma("user_version", { simple: true }));
  if (versionOf() === migrations.length) return;
  const upgrade = database.transaction(() => {
    const version = versionOf();
    if (version > migrations.length) throw new Error("the session store was written by a newer version of Fencepost; use that version, or another file");
    for (const step of migrations.slice(version)) database.exec(step);
    database.pragma(`user_version = ${migrations.length}`);
  });
  upgrade.immediate();
}
