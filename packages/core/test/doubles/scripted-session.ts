import type { AgentSession } from "../../src/session/session.ts";
import type { Approver, PermissionDecision, PermissionRequest } from "../../src/approval/approver.ts";
import { createSession } from "../../src/session/create-session.ts";
import type { SessionParts } from "../../src/session/session-parts.ts";
import { policyOf, workspace } from "./policy.ts";
import { scriptedToolset, type ScriptedToolset } from "./scripted-toolset.ts";

export interface ScriptedSession {
  readonly session: AgentSession;
  readonly toolset: ScriptedToolset;
}

/** A session on doubles: no disk, no process. */
export function scriptedSession(parts: Partial<SessionParts> & { readonly toolset?: ScriptedToolset } = {}): ScriptedSession {
  const toolset = parts.toolset ?? scriptedToolset();
  const session = createSession({
    id: "session",
    workspace,
    mode: "auto",
    sandbox: { ...toolset.session.sandbox, backend: "double" },
    policy: policyOf,
    approver: undefined,
    preset: "ask-on-escalation",
    changes: { move: async () => ({ changed: [], conflicts: [] }) },
    release: async () => undefined,
    ...parts,
    toolset,
  });
  return { session, toolset };
}

/** Answers every card with the next decision and keeps the cards. */
export function scriptedApprover(...decisions: PermissionDecision[]): Approver & { readonly cards: PermissionRequest[] } {
  const cards: PermissionRequest[] = [];
  return {
    cards,
    decide: async (request) => {
      cards.push(request);
      return decisions.length > 1 ? (decisions.shift() ?? "deny") : (decisions[0] ?? "deny");
    },
  };
}

export const gitGrant = { paths: [{ path: `${workspace}/.git`, access: "write", scope: "subtree" }] } as const;
