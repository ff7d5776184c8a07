import type { Session } from "@fencepost/core";

/** What every adapter needs of a session: definitions out, calls in. `openSession` gives one. */
export type ToolHost = Pick<Session, "definitions" | "call" | "cancel">;

/** A host that can say what a call would ask, for protocols that put the question before the call. */
export type AskingHost = ToolHost & Pick<Session, "id" | "preview">;
