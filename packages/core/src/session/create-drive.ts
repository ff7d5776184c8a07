import type { ToolDefinition } from "@fencepost/contract";
import type { SandboxMode } from "@fencepost/sandbox";
import { agentTools } from "../agents/agent-tools.ts";
import type { ControlTool } from "../control/control-tool.ts";
import { updatePlanTool } from "../control/update-plan.ts";
import type { Message, NoteMessage } from "../conversation/message.ts";
import type { EventSource } from "../events/event-stream.ts";
import { stateText } from "../turn/state-note.ts";
import { createTurnDesk, type TurnDesk } from "../turn/turn-desk.ts";
import type { CallDesk } from "./call-desk.ts";
import { createCallJudge } from "./call-judge.ts";
import type { SessionConversation } from "./session-conversation.ts";
import type { DriveParts, SessionParts } from "./session-parts.ts";

export interface DriveContext {
  readonly calls: CallDesk;
  readonly events: EventSource;
  readonly conversation: SessionConversation;
  readonly definitions: readonly ToolDefinition[];
  readonly mode: () => SandboxMode;
  readonly onTurnStart: () => void;
  /** Another process has added to the session. */
  readonly onReload: (messages: readonly Message[]) => void;
}

/** The turns of a session with a model, on its one desk of calls. */
export function createDrive(parts: SessionParts, drive: DriveParts, context: DriveContext): TurnDesk {
  const { calls, events, conversation, definitions, mode } = context;
  const judge = createCallJudge(parts.toolset, parts.preset, () => parts.policy(mode()));
  const dueNotes = (): readonly NoteMessage[] => {
    const text = stateText({ workspace: parts.workspace, mode: mode(), sandbox: parts.sandbox, network: parts.network ?? "host" });
    const state: readonly NoteMessage[] = text === conversation.lastStateText() ? [] : [{ role: "note", kind: "state", text }];
    return [...state, ...(drive.team?.mailbox.drain() ?? [])];
  };
  return createTurnDesk({
    sessionId: parts.id,
    model: drive.model,
    store: drive.store,
    conversation,
    events,
    definitions,
    system: drive.instructions,
    maxModelCalls: drive.maxModelCalls,
    idleTimeoutMs: drive.idleTimeoutMs,
    dueNotes,
    startNotes: () => (parts.toolset.session.tasks?.takeNotices() ?? []).map(({ text }) => ({ role: "note", kind: "task", text })),
    runCall: (call, place) => calls.call({ callId: call.callId, toolId: call.toolId, input: call.input }, place),
    refuseCall: (call, result, place) => calls.refuse({ callId: call.callId, toolId: call.toolId, input: call.input }, result, place),
    mayRunTogether: async (toolCalls) => drive.parallelReadOnly && judge.allReadOnly(toolCalls),
    canChange: judge.canChange,
    onTurnStart: context.onTurnStart,
    async reload() {
      const messages = (await drive.store.messages(parts.id)).map(({ message }) => message);
      conversation.replace(messages);
      context.onReload(messages);
    },
  });
}

/**
 * The session's own tools by id. None where it has no model.
 *
 * @throws {Error} where a registered tool has the name of one
 */
export function controlTools(parts: SessionParts, events: EventSource): ReadonlyMap<string, ControlTool> {
  const { drive } = parts;
  if (!drive) return new Map();
  const plan = updatePlanTool(async (next) => {
    await drive.store.setPlan(parts.id, next);
    events.emit({ type: "plan_updated", plan: next });
  });
  const tools = [...(drive.plans ? [plan] : []), ...(drive.team ? agentTools(drive.team) : [])];
  const taken = tools.find((tool) => parts.toolset.has(tool.definition.id));
  if (taken) throw new Error(`the tool ${taken.definition.id} has the name of one of the session's own tools; register it under another id`);
  return new Map(tools.map((tool) => [tool.definition.id, tool]));
}
