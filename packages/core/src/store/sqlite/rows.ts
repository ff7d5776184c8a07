import type { Message } from "../../conversation/message.ts";
import type { Plan } from "../../control/plan.ts";
import type { SandboxMode } from "@fencepost/sandbox";
import type { CallSpan } from "../../trace/call-span.ts";
import type { TurnOutcome } from "../../turn/turn-outcome.ts";
import type { StoredSession, StoredTurn } from "../session-store.ts";

export interface SessionRow {
  readonly session_id: string;
  readonly workspace: string;
  readonly mode: SandboxMode;
  readonly created_at: number;
  readonly parent_id: string | null;
  readonly title: string | null;
  readonly plan: string | null;
}

export interface TurnRow {
  readonly turn_id: string;
  readonly session_id: string;
  readonly request_id: string | null;
  readonly started_at: number;
  readonly owner: string;
  readonly outcome: string | null;
}

export interface MessageRow {
  readonly turn_id: string;
  readonly body: string;
}

export interface MarkRow {
  readonly change_id: string;
  readonly undone: number;
}

export interface SpanRow {
  readonly span: number;
  readonly owner: string;
  readonly body: string;
}

export interface SeqRow {
  readonly seq: number;
}

export function sessionOf(row: SessionRow): StoredSession {
  return {
    sessionId: row.session_id,
    workspace: row.workspace,
    mode: row.mode,
    createdAt: row.created_at,
    ...(row.parent_id !== null && { parentId: row.parent_id }),
    ...(row.title !== null && { title: row.title }),
    ...(row.plan !== null && { plan: planOf(row.plan) }),
  };
}

export function turnOf(row: TurnRow): StoredTurn {
  return {
    turnId: row.turn_id,
    sessionId: row.session_id,
    startedAt: row.started_at,
    ...(row.request_id !== null && { requestId: row.request_id }),
    ...(row.outcome !== null && { outcome: outcomeOf(row.outcome) }),
  };
}

export function messageOf(row: MessageRow): Message {
  return JSON.parse(row.body);
}

export function spanOf(row: Pick<SpanRow, "body">): CallSpan {
  return JSON.parse(row.body);
}

// What is parsed here we wrote ourselves; the schema's version says in which form.

function planOf(json: string): Plan {
  return JSON.parse(json);
}

function outcomeOf(json: string): TurnOutcome {
  return JSON.parse(json);
}
