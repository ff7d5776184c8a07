import type { SandboxMode } from "@fencepost/sandbox";
import type { SessionStore } from "../store/session-store.ts";
import type { ModeOrigin } from "../trace/call-span.ts";
import type { StoredState } from "./session-parts.ts";

export interface StartOptions {
  readonly sessionId: string;
  /** Canonical. */
  readonly workspace: string;
  readonly mode: SandboxMode | undefined;
  readonly parentId?: string;
}

export interface SessionStart {
  readonly mode: SandboxMode;
  readonly modeOrigin: ModeOrigin;
  readonly stored?: StoredState;
}

/**
 * Takes a session up where its store has it, or enters a new one. Turns of processes that are gone are ended first;
 * nothing is run again.
 *
 * @throws {Error} where the session belongs to another workspace
 */
export async function startSession(store: SessionStore | undefined, { sessionId, workspace, mode, parentId }: StartOptions): Promise<SessionStart> {
  const fresh: SessionStart = { mode: mode ?? "auto", modeOrigin: parentId === undefined ? (mode ? "option" : "default") : "parent" };
  if (!store) return fresh;
  await store.recover();
  const session = await store.session(sessionId);
  if (!session) {
    await store.createSession({ sessionId, workspace, mode: fresh.mode, createdAt: Date.now(), ...(parentId !== undefined && { parentId }) });
    return fresh;
  }
  if (session.workspace !== workspace) throw new Error(`session ${sessionId} belongs to the workspace ${session.workspace}, not to ${workspace}; open it there`);
  if (mode && mode !== session.mode) await store.setMode(sessionId, mode);
  const messages = (await store.messages(sessionId)).map(({ message }) => message);
  return {
    mode: mode ?? session.mode,
    modeOrigin: mode ? "option" : "stored",
    stored: { messages, ...(session.plan && { plan: session.plan }) },
  };
}
