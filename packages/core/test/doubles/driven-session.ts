import type { Message } from "../../src/conversation/message.ts";
import type { SequencedEvent } from "../../src/events/session-event.ts";
import type { ModelPort } from "../../src/model/model-port.ts";
import { scriptedModel, type ScriptedAnswer } from "../../src/model/scripted-model.ts";
import type { DriveParts, SessionParts } from "../../src/session/session-parts.ts";
import { createMemoryStore } from "../../src/store/memory-store.ts";
import type { SessionStore } from "../../src/store/session-store.ts";
import { workspace } from "./policy.ts";
import { scriptedSession, type ScriptedSession } from "./scripted-session.ts";
import type { ScriptedToolset } from "./scripted-toolset.ts";

export interface DrivenSession extends ScriptedSession {
  readonly store: SessionStore;
  readonly log: SequencedEvent[];
  /** What the model was sent, a copy a request. */
  readonly requests: (readonly Message[])[];
}

export interface DrivenOptions {
  readonly toolset?: ScriptedToolset;
  readonly drive?: Partial<DriveParts>;
  readonly parts?: Partial<Omit<SessionParts, "toolset">>;
  readonly store?: SessionStore;
}

/** A session on doubles that a script drives. */
export async function drivenSession(script: readonly ScriptedAnswer[] | ModelPort, options: DrivenOptions = {}): Promise<DrivenSession> {
  const store = options.store ?? createMemoryStore();
  if (!(await store.session("session"))) await store.createSession({ sessionId: "session", workspace, mode: "auto", createdAt: 1 });
  const requests: (readonly Message[])[] = [];
  const model = isModel(script) ? script : scriptedModel(script);
  const recording: ModelPort = {
    id: model.id,
    stream(request, signal) {
      requests.push([...request.messages]);
      return model.stream(request, signal);
    },
  };
  const drive: DriveParts = {
    model: recording,
    store,
    instructions: "Test.",
    maxModelCalls: 20,
    idleTimeoutMs: 5_000,
    parallelReadOnly: false,
    plans: true,
    ...options.drive,
  };
  const scripted = scriptedSession({ ...(options.toolset && { toolset: options.toolset }), ...options.parts, store, drive });
  const log: SequencedEvent[] = [];
  scripted.session.events.subscribe((event) => log.push(event));
  return { ...scripted, store, log, requests };
}

function isModel(script: readonly ScriptedAnswer[] | ModelPort): script is ModelPort {
  return "stream" in script;
}

/** Messages in short: `user:hi`, `assistant:…`, `tool:success:…`. */
export function brief(messages: readonly Message[]): readonly string[] {
  return messages
    .filter((message) => message.role !== "note")
    .map((message) => {
      if (message.role === "tool") return `tool:${message.status}:${message.content.map((part) => (part.type === "text" ? part.text : "image")).join("|")}`;
      const calls = message.role === "assistant" ? message.toolCalls.map((call) => `+${call.toolId}`).join("") : "";
      return `${message.role}:${message.text}${calls}`;
    });
}
