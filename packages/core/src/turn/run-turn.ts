import type { AssistantMessage, Message, ToolCall } from "../conversation/message.ts";
import { readResponse, type ModelResponse } from "../model/read-response.ts";
import { createDoomLoop, type DoomLoop } from "./doom-loop.ts";
import { persistenceError, runBatch, succeeds } from "./run-batch.ts";
import type { TurnHost } from "./turn-host.ts";
import type { TurnOutcome } from "./turn-outcome.ts";

export interface Turn {
  readonly turnId: string;
  readonly signal: AbortSignal;
}

/**
 * Drives the model until it asks for no more tools. The turn and its first messages are stored by now. Nothing runs
 * before the message that asks for it is stored, and no model is asked before the results are.
 */
export async function runTurn(host: TurnHost, turn: Turn): Promise<TurnOutcome> {
  const doomLoop = createDoomLoop();
  for (let modelCall = 0; modelCall < host.maxModelCalls; modelCall += 1) {
    if (turn.signal.aborted) return { status: "cancelled" };
    if (modelCall > 0 && !(await keep(host, turn.turnId, host.dueNotes()))) return persistenceError;
    host.events.emit({ type: "phase_changed", turnId: turn.turnId, phase: "model" });
    const response = await ask(host, turn);
    if (response.kind === "cancelled") return { status: "cancelled" };
    if (response.kind === "failed") return { status: "failed", code: response.code, message: response.message };
    const ended = await takeResponse(host, turn, response, { modelCall, doomLoop });
    if (ended) return ended;
  }
  return { status: "failed", code: "max_model_calls", message: `the turn ended after ${host.maxModelCalls} model calls` };
}

async function takeResponse(
  host: TurnHost,
  turn: Turn,
  response: Extract<ModelResponse, { kind: "response" }>,
  { modelCall, doomLoop }: { readonly modelCall: number; readonly doomLoop: DoomLoop },
): Promise<TurnOutcome | undefined> {
  const calls: readonly ToolCall[] = response.calls.map((call, index) => ({ ...call, callId: `${turn.turnId}-${modelCall + 1}-${index + 1}` }));
  const message: AssistantMessage = { role: "assistant", text: response.text, toolCalls: calls, ...(response.usage && { usage: response.usage }) };
  if (!(await keep(host, turn.turnId, [message]))) return persistenceError;
  if (calls.length === 0) return { status: "completed", text: response.text };
  host.events.emit({ type: "phase_changed", turnId: turn.turnId, phase: "tools" });
  return runBatch(host, { turnId: turn.turnId, calls, truncated: response.reason === "length", doomLoop, signal: turn.signal });
}

function ask(host: TurnHost, { turnId, signal }: Turn): Promise<ModelResponse> {
  const request = { system: host.system, messages: host.conversation.forRequest(), tools: host.definitions };
  return readResponse(host.model, request, {
    signal,
    idleTimeoutMs: host.idleTimeoutMs,
    onText: (text) => host.events.emit({ type: "text_delta", turnId, text }),
  });
}

async function keep(host: TurnHost, turnId: string, messages: readonly Message[]): Promise<boolean> {
  if (messages.length === 0) return true;
  const stored = await succeeds(() => host.store.append(turnId, messages));
  if (stored) host.conversation.append(messages);
  return stored;
}
