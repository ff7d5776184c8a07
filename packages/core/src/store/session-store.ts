import type { SandboxMode } from "@fencepost/sandbox";
import type { Message } from "../conversation/message.ts";
import type { Plan } from "../control/plan.ts";
import type { CallSpan } from "../trace/call-span.ts";
import type { TurnOutcome } from "../turn/turn-outcome.ts";

/**
 * Keeps sessions beyond their process. Every method is one transaction: it has happened as a whole when its promise
 * fulfils, and not at all when it rejects. `testSessionStore` is what an implementation has to pass.
 */
export interface SessionStore {
  /** Rejects where the id is taken. */
  createSession(session: StoredSession): Promise<void>;
  session(sessionId: string): Promise<StoredSession | undefined>;
  /** Newest first. */
  sessions(query?: SessionQuery): Promise<readonly StoredSession[]>;
  setMode(sessionId: string, mode: SandboxMode): Promise<void>;
  setPlan(sessionId: string, plan: Plan): Promise<void>;
  /** Removes the session, those it spawned, and everything that belongs to them. */
  deleteSession(sessionId: string): Promise<void>;

  /** Starts a turn with its first messages, unless one runs in this session or the request id has one already. */
  beginTurn(turn: NewTurn): Promise<TurnStart>;
  /** Adds messages in order. Rejects where the turn does not run, or a call has a result already. */
  append(turnId: string, messages: readonly Message[]): Promise<void>;
  /** Ends a running turn. A turn that has ended stays as it ended. */
  endTurn(turnId: string, outcome: TurnOutcome): Promise<void>;
  /** Oldest first. */
  turns(sessionId: string): Promise<readonly StoredTurn[]>;
  /** Oldest first, with the artifacts' `undone` as marked last. */
  messages(sessionId: string): Promise<readonly StoredMessage[]>;
  markChanges(sessionId: string, changeIds: readonly string[], undone: boolean): Promise<void>;

  /** Adds a span, or replaces the one of the same call. */
  saveSpan(span: CallSpan): Promise<void>;
  /** In the order in which they were first saved. */
  spans(sessionId: string): Promise<readonly CallSpan[]>;

  /**
   * Turns of processes that are gone become `interrupted`, and their running spans `outcome_unknown`. Nothing is run
   * again. Returns the turns it interrupted.
   */
  recover(): Promise<readonly StoredTurn[]>;
  close(): Promise<void>;
}

export interface StoredSession {
  readonly sessionId: string;
  /** Canonical. */
  readonly workspace: string;
  readonly mode: SandboxMode;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** The session that spawned this one. */
  readonly parentId?: string;
  readonly plan?: Plan;
  /** The first user message, cut: so that a list says what a session was about. */
  readonly title?: string;
}

export interface SessionQuery {
  readonly workspace?: string;
  /** The sessions that this one spawned. Default: those that no session spawned. */
  readonly parentId?: string;
  /** Default 100. */
  readonly limit?: number;
}

export interface NewTurn {
  readonly turnId: string;
  readonly sessionId: string;
  /** The client's own id of the request: asking twice with it starts one turn. */
  readonly requestId?: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly messages: readonly Message[];
}

export type TurnStart =
  /** `precededBy`: how many messages the session had before this turn's. */
  | { readonly kind: "started"; readonly precededBy: number }
  | { readonly kind: "busy"; readonly turnId: string }
  | { readonly kind: "known"; readonly turn: StoredTurn };

export interface StoredTurn {
  readonly turnId: string;
  readonly sessionId: string;
  readonly requestId?: string;
  readonly startedAt: number;
  /** Undefined while the turn runs. */
  readonly outcome?: TurnOutcome;
}

export interface StoredMessage {
  readonly turnId: string;
  readonly message: Message;
}

/** The most characters a session's title keeps. */
const titleCharacters = 120;

/** The title of a session, from the first messages of its first turn. */
export function titleOf(messages: readonly Message[]): string | undefined {
  const user = messages.find((message) => message.role === "user");
  if (user?.role !== "user") return undefined;
  return Array.from(user.text.replaceAll(/\s+/g, " ").trim()).slice(0, titleCharacters).join("");
}
