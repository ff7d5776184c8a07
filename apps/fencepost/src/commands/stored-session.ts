import { resolveEnvironment } from "@fencepost/sandbox";
import type { SessionStore, StoredSession } from "@fencepost/core";
import { messageOf } from "../cli/message-of.ts";
import { UsageError } from "../cli/usage-error.ts";

/** What the file system answers where a directory can be neither made nor written. */
const unusable: readonly unknown[] = ["EACCES", "ENOENT", "ENOTDIR", "EPERM", "EROFS"];

/** The user's store of sessions. */
export async function openStore(workspace: string): Promise<SessionStore> {
  const { defaultStorePath, openSqliteStore } = await import("@fencepost/core/sqlite");
  const { stateHome } = resolveEnvironment({ workspaceRoot: workspace });
  try {
    return await openSqliteStore(defaultStorePath(stateHome));
  } catch (error) {
    if (!(error instanceof Error && "code" in error && unusable.includes(error.code))) throw error;
    throw new Error(`no sessions can be kept in ${stateHome} (${String(error.code)}); make it writable, or set HOME to a directory of your own`, { cause: error });
  }
}

/** As `openStore`; undefined where sessions cannot be kept, which is told once. */
export async function openStoreIfPossible(workspace: string, warn: (text: string) => void): Promise<SessionStore | undefined> {
  try {
    return await openStore(workspace);
  } catch (error) {
    warn(`${messageOf(error)}; this session is gone when it ends`);
    return undefined;
  }
}

/** The session that is named, else the newest of this workspace. */
export async function findSession(store: SessionStore, workspace: string, id: string | undefined): Promise<StoredSession> {
  const found = id === undefined || id === "last" ? (await store.sessions({ workspace, limit: 1 }))[0] : await store.session(id);
  if (found === undefined) throw new UsageError(id === undefined || id === "last" ? `no session is stored for ${workspace}` : `no session "${id}" is stored; \`fencepost sessions\` lists them`);
  if (found.workspace !== workspace) throw new UsageError(`session ${found.sessionId} belongs to ${found.workspace}; say --workspace ${found.workspace}`);
  return found;
}
