import { closeSync, constants, fchmodSync, openSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { makeDirectory } from "@fencepost/sandbox";
import type { SessionStore } from "../session-store.ts";
import { migrate } from "./schema.ts";
import { createSqliteStore } from "./sqlite-store.ts";

/** How long a statement waits for another process's transaction, in milliseconds. */
const busyTimeoutMs = 5_000;

const ownerOnlyFile = 0o600;

/** `<stateHome>/sessions.db`. */
export function defaultStorePath(stateHome: string = join(homedir(), ".fencepost")): string {
  return join(stateHome, "sessions.db");
}

/**
 * A store in one SQLite file (write-ahead log beside it), readable by its owner only. Several processes may use it at
 * the same time. Needs the optional dependency better-sqlite3.
 *
 * @param path made, with its directory, where it does not exist
 * @throws {Error} one line: the dependency is missing, the file cannot be opened, a newer version wrote it
 */
export async function openSqliteStore(path: string = defaultStorePath()): Promise<SessionStore> {
  const Database = await loadDriver();
  makePrivate(path);
  const database = new Database(path, { timeout: busyTimeoutMs });
  try {
    database.pragma("journal_mode = WAL");
    database.pragma("synchronous = NORMAL");
    database.pragma("foreign_keys = ON");
    migrate(database);
    return createSqliteStore(database);
  } catch (error) {
    database.close();
    throw error;
  }
}

async function loadDriver(): Promise<typeof import("better-sqlite3")> {
  try {
    return (await import("better-sqlite3")).default;
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split("\n")[0] ?? "") : "";
    throw new Error(`sessions cannot be stored: better-sqlite3 is not installed for this Node (${reason})`, { cause: error });
  }
}

/** Before SQLite opens it: the log files beside it take its permissions over. Never through a link. */
function makePrivate(path: string): void {
  makeDirectory(dirname(path));
  const descriptor = openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW, ownerOnlyFile);
  try {
    fchmodSync(descriptor, ownerOnlyFile);
  } finally {
    closeSync(descriptor);
  }
}
