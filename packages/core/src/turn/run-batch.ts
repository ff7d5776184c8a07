import { failed, type ToolResult } from "@fencepost/contract";
import type { ToolCall } from "../conversation/message.ts";
import { toolMessage } from "../conversation/tool-message.ts";
import { appendNote } from "./append-note.ts";
import { callKey, doomLoopThreshold, pollingTools, type DoomLoop } from "./doom-loop.ts";
import { doomReminder, doomStopText, duplicateCallText, truncatedCallText, turnTerminatedText } from "./guard-texts.ts";
import type { TurnHost } from "./turn-host.ts";
import type { TurnOutcome } from "./turn-outcome.ts";

export interface Batch {
  readonly turnId: string;
  readonly calls: readonly ToolCall[];
  /** The model's output limit cut the response off. */
  readonly truncated: boolean;
  readonly doomLoop: DoomLoop;
  readonly signal: AbortSignal;
}

/** Runs the calls of one response. Each gets exactly one result, stored in the model's order. Says how the turn ends, if it does. */
export async function runBatch(host: TurnHost, batch: Batch): Promise<TurnOutcome | undefined> {
  const distinct = new Set(batch.calls.map(callKey)).size === batch.calls.length;
  const plain = batch.calls.length > 1 && distinct && !batch.truncated && !batch.signal.aborted && !batch.calls.some((call) => batch.doomLoop.repeats(call));
  const together = plain && (await host.mayRunTogether(batch.calls));
  return together ? runTogether(host, batch) : runInOrder(host, batch);
}

async function runInOrder(host: TurnHost, batch: Batch): Promise<TurnOutcome | undefined> {
  const seen = new Set<string>();
  let ending: TurnOutcome | undefined;
  for (const call of batch.calls) {
    // Whoever cancels during one call does not want the next.
    ending ??= batch.signal.aborted ? { status: "cancelled" } : undefined;
    const step = ending ? refusal(failed("cancelled", turnTerminatedText)) : await runOne(host, batch, call, seen);
    if (!step.ran) host.refuseCall(call, step.result, { turnId: batch.turnId, signal: batch.signal });
    ending = (await handOver(host, batch.turnId, call, step.result, ending)) ?? ending ?? step.ending;
  }
  return ending;
}

async function runTogether(host: TurnHost, batch: Batch): Promise<TurnOutcome | undefined> {
  for (const call of batch.calls) batch.doomLoop.next(call);
  const outcomes = await Promise.all(batch.calls.map(async (call) => ({ call, ...(await host.runCall(call, { turnId: batch.turnId, signal: batch.signal, shared: true })) })));
  let ending: TurnOutcome | undefined;
  for (const { call, result } of outcomes) ending = (await handOver(host, batch.turnId, call, result, ending)) ?? ending;
  return ending;
}

interface Step {
  readonly result: ToolResult;
  /** False: the call never reached the pipeline. */
  readonly ran: boolean;
  readonly ending?: TurnOutcome;
}

async function runOne(host: TurnHost, batch: Batch, call: ToolCall, seen: Set<string>): Promise<Step> {
  if (batch.truncated && (await host.canChange(call))) return refusal(failed("truncated_call", truncatedCallText(call.toolId)));
  const key = callKey(call);
  if (seen.has(key) && !pollingTools.has(call.toolId)) return refusal(failed("duplicate_call", duplicateCallText(call.toolId)));
  seen.add(key);
  const doom = batch.doomLoop.next(call);
  if (doom === "stop") {
    const text = doomStopText(call.toolId, doomLoopThreshold);
    return { ...refusal(failed("cancelled", text)), ending: { status: "failed", code: "doom_loop", message: text } };
  }
  const { result, deniedByUser } = await host.runCall(call, { turnId: batch.turnId, signal: batch.signal });
  return {
    ran: true,
    result: doom === "remind" ? appendNote(result, doomReminder(call.toolId)) : result,
    ...(deniedByUser && { ending: { status: "failed", code: "permission_denied", message: "the user denied a call" } as const }),
  };
}

function refusal(result: ToolResult): Step {
  return { result, ran: false };
}

/**
 * Store, then conversation, then announcement: in this order. Once the store has failed nothing more of the batch is
 * stored, so that no later result stands where an earlier one is missing; it is announced all the same.
 */
async function handOver(host: TurnHost, turnId: string, call: ToolCall, result: ToolResult, ending: TurnOutcome | undefined): Promise<TurnOutcome | undefined> {
  const message = toolMessage(call, result);
  const stored = ending !== persistenceError && (await succeeds(() => host.store.append(turnId, [message])));
  if (stored) host.conversation.append([message]);
  host.events.emit({ type: "tool_call_finished", callId: call.callId, toolId: call.toolId, result, turnId });
  return stored ? undefined : persistenceError;
}

export const persistenceError: TurnOutcome = { status: "failed", code: "persistence_error", message: "the session could not be stored, so nothing more was run" };

export async function succeeds(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch {
    return false;
  }
}
