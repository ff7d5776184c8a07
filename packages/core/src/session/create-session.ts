import { failed } from "@fencepost/contract";
import { sandboxModes } from "@fencepost/sandbox";
import { createChangeLedger } from "../changes/change-ledger.ts";
import { moveChanges, refusedChange, type ChangeDirection } from "../changes/move-changes.ts";
import type { ControlTool } from "../control/control-tool.ts";
import type { Message } from "../conversation/message.ts";
import { createEventStream, type EventSource } from "../events/event-stream.ts";
import type { CallSpan, ModeOrigin } from "../trace/call-span.ts";
import { refused, type TurnDesk } from "../turn/turn-desk.ts";
import { createCallDesk } from "./call-desk.ts";
import { previewCall, type PipelineHost } from "./call-pipeline.ts";
import { controlTools, createDrive } from "./create-drive.ts";
import { cancelGraceMs } from "./execute-call.ts";
import { createRecordLog } from "./record-log.ts";
import { createRefusals } from "./refusals.ts";
import { createSerialQueue } from "./serial-queue.ts";
import { createSessionConversation, storedChanges } from "./session-conversation.ts";
import type { SessionParts } from "./session-parts.ts";
import type { AgentSession, ChangeOutcome } from "./session.ts";
import { createSpanRecorder } from "./span-recorder.ts";

const allowAllWarning = "approvals: allow-all answers every question with yes, also for paths beyond the policy and for commands that delete";

const closedText = "The session is closed, so nothing was done. Open a new session.";

/** The one owner of a session's state: every change to it is a method here. */
export function createSession(parts: SessionParts): AgentSession {
  const stored = parts.stored ?? { messages: [] };
  const queue = createSerialQueue();
  const ledger = createChangeLedger();
  const takeChanges = (messages: readonly Message[]): void => {
    for (const { callId, changes } of storedChanges(messages)) if (ledger.find([callId]).unknown.length > 0) ledger.add(callId, changes);
  };
  takeChanges(stored.messages);
  const log = createRecordLog();
  const events = createEventStream(stored.plan && { plan: stored.plan });
  const conversation = createSessionConversation(stored.messages);
  const closing = new AbortController();
  let mode = parts.mode;
  let modeOrigin: ModeOrigin = parts.modeOrigin ?? "default";
  let modeStored: Promise<void> | undefined;
  let closed: Promise<void> | undefined;

  const pipeline = pipelineOf(parts, events, closing.signal);
  const controls: ReadonlyMap<string, ControlTool> = controlTools(parts, events);
  const sinks = [...(parts.store ? [{ record: (span: CallSpan) => parts.store?.saveSpan(span) }] : []), ...(parts.trace ?? [])];
  const calls = createCallDesk({
    queue,
    pipeline,
    controls,
    events,
    spans: createSpanRecorder(parts.id, () => modeOrigin, sinks),
    mode: () => mode,
    policy: parts.policy,
    usedCallIds: new Set(stored.messages.flatMap((message) => (message.role === "assistant" ? message.toolCalls.map((call) => call.callId) : []))),
    addRecord: log.add,
    addChanges: ledger.add,
  });
  const definitions = [...parts.toolset.definitions, ...[...controls.values()].map((tool) => tool.definition)];
  const turns: TurnDesk | undefined =
    parts.drive && createDrive(parts, parts.drive, { calls, events, conversation, definitions, mode: () => mode, onTurnStart: pipeline.refusals.clear, onReload: takeChanges });

  const change = async (direction: ChangeDirection, ids: readonly string[]): Promise<ChangeOutcome> => {
    if (closed) return refusedChange("closed", closedText);
    const busy = refusedChange("busy", `A turn or a call is running, so nothing was touched. Wait for it or cancel it, then ${direction}.`);
    if (queue.size > 0 || turns?.running) return busy;
    return queue.run(async () => {
      if (await runsElsewhere(parts)) return busy;
      const outcome = await moveChanges(direction, ids, { ledger, functions: parts.changes, policy: parts.policy(mode) });
      const moved = outcome.error || outcome.conflicts.length > 0 ? [] : ledger.find(ids).changes.map(({ changeId }) => changeId);
      await storing(parts.store?.markChanges(parts.id, moved, direction === "undo"), "what was undone could not be stored: a resumed session will show it as before");
      return outcome;
    });
  };

  /** What a session writes aside from its turns: it has happened all the same where the store fails, which is told. */
  const storing = async (write: Promise<void> | undefined, warning: string): Promise<void> => {
    await write?.catch(() => parts.onWarning?.(warning));
  };

  const close = async (): Promise<void> => {
    closing.abort();
    turns?.cancel();
    calls.cancelAll();
    await turns?.idle();
    await parts.drive?.team?.close();
    await queue.idle();
    await modeStored;
    await parts.release();
  };

  const session: AgentSession = {
    id: parts.id,
    workspace: parts.workspace,
    get mode() {
      return mode;
    },
    sandbox: parts.sandbox,
    definitions,
    async call(request) {
      if (!closed) return (await calls.call(request)).result;
      const result = failed("cancelled", closedText);
      calls.refuse(request, result);
      return result;
    },
    async preview({ callId, toolId, input, approver }) {
      if (closed) return { kind: "refused", result: failed("cancelled", closedText) };
      if (controls.has(toolId)) return { kind: "runs" };
      return previewCall(pipeline, { callId, toolId, input, approver, signal: closing.signal, onProgress: undefined, policy: parts.policy(mode) });
    },
    cancel: calls.cancel,
    prompt: async (text, options) => {
      if (closed) return refused("closed", closedText);
      return turns ? turns.prompt(text, options) : refused("no_model", "this session has no model: open it with one");
    },
    cancelTurn: () => turns?.cancel() ?? false,
    events,
    get messages() {
      return conversation.messages;
    },
    undo: (ids) => change("undo", ids),
    reapply: (ids) => change("reapply", ids),
    changes: ledger.all,
    setMode(next) {
      if (!sandboxModes.includes(next)) throw new RangeError(`mode must be one of ${sandboxModes.join(", ")}, got ${JSON.stringify(next)}`);
      mode = next;
      modeOrigin = "switched";
      modeStored = storing(parts.store?.setMode(parts.id, next), "the mode could not be stored: it holds until the session is closed");
    },
    get records() {
      return log.records;
    },
    close: () => (closed ??= close()),
  };
  parts.onOpen?.(session);
  return session;
}

/** Whether a turn of this session runs, as far as the store knows: then it is another process's, which may be writing. */
async function runsElsewhere({ id, store }: SessionParts): Promise<boolean> {
  const turns = (await store?.turns(id).catch(() => [])) ?? [];
  return turns.some(({ outcome }) => outcome === undefined);
}

function pipelineOf(parts: SessionParts, events: EventSource, ownerGone: AbortSignal): PipelineHost {
  const now = parts.now ?? (() => performance.now());
  let warned = false;
  return {
    sessionId: parts.id,
    toolset: parts.toolset,
    refusals: createRefusals(),
    hooks: parts.hooks ?? {},
    cancelGraceMs: parts.cancelGraceMs ?? cancelGraceMs,
    now,
    ownerGone,
    authorisation: {
      preset: parts.preset,
      approver: parts.approver,
      sandbox: parts.sandbox,
      now,
      onAllowAll() {
        if (!warned) parts.onWarning?.(allowAllWarning);
        warned = true;
      },
      onRequest: (request) => events.emit({ type: "permission_requested", request }),
      onResolved: ({ requestId, callId }, answer) => events.emit({ type: "permission_resolved", requestId, callId, answer }),
    },
  };
}
