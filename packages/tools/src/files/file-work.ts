import type { SessionContext } from "../context/session-context.ts";

/** What everything that changes files works with: part of a session's context. */
export type FileWork = Pick<SessionContext, "fileSystem" | "observations" | "writeLocks" | "journal" | "protectedWrites">;
