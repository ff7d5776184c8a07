import type { Readable } from "node:stream";
import { setImmediate as turn } from "node:timers/promises";
import type { ChangeOutcome, Session } from "@fencepost/core";
import type { CardDesk } from "./card-desk.ts";
import { readLines } from "./line-reader.ts";
import { parseRequest, type Request } from "./request.ts";
import type { Wire } from "./wire.ts";

export interface ServedSession {
  readonly session: Pick<Session, "mode" | "definitions" | "call" | "cancel" | "undo" | "reapply" | "setMode">;
  readonly input: Readable;
  readonly wire: Wire;
  readonly cards: CardDesk;
  readonly progress: boolean;
  /** Fires when the process is to end: reading stops, and what runs is cancelled. */
  readonly stop: AbortSignal;
  /** Fires when nothing more comes in: nobody is waited for any longer. */
  readonly ended: AbortSignal;
}

/** The most requests that wait at once; more are answered `busy`. */
const maxWaitingRequests = 10_000;

type Waiting = Exclude<Request, { kind: "cancel" | "permission" | "unreadable" }>;

/**
 * Serves one session by the line protocol until the input ends or `stop` fires; then what runs and waits is cancelled,
 * and it settles when every request has its answer. Requests run in the order they came, one at a time; cancellations
 * and answers to cards take effect at once.
 */
export async function serveSession({ session, input, wire, cards, progress, stop, ended }: ServedSession): Promise<void> {
  const usedIds = new Set<string>();
  const waiting: Waiting[] = [];
  let running: Promise<void> | undefined;
  let runningCall: string | undefined;
  let ending = false;

  const fail = (id: string | null, code: string, message: string): void => wire.send({ id, error: { code, message } });

  const accept = (request: Request): void => {
    if (request.kind === "permission") {
      if (!cards.answer(request.requestId, request.decision)) fail(null, "invalid_arguments", `no card "${request.requestId}" is waiting for an answer`);
      return;
    }
    if (request.id !== null && usedIds.has(request.id)) return fail(request.id, "invalid_arguments", `the id "${request.id}" was used before; each request needs its own`);
    if (request.id !== null) usedIds.add(request.id);
    if (request.kind === "unreadable") return fail(request.id, "invalid_arguments", request.message);
    if (request.kind === "cancel") return wire.send({ id: request.id, result: { cancelled: cancel(request.callId) } });
    if (waiting.length >= maxWaitingRequests) return fail(request.id, "busy", `${maxWaitingRequests} requests are waiting; wait for some answers first`);
    waiting.push(request);
    running ??= runAll();
  };

  const runAll = async (): Promise<void> => {
    // The loop turns before each request: a cancellation that has arrived already finds its call still waiting.
    for (await turn(); waiting.length > 0; await turn()) {
      const next = waiting.shift();
      if (next !== undefined) await perform(next);
      await wire.room(ended);
    }
    running = undefined;
  };

  const perform = async (request: Waiting): Promise<void> => {
    switch (request.kind) {
      case "call":
        return callTool(request);
      case "mode":
        session.setMode(request.mode);
        return wire.send({ id: request.id, result: { mode: session.mode } });
      case "tools":
        return wire.send({ id: request.id, result: { tools: session.definitions } });
      default:
        if (ending) return fail(request.id, "cancelled", "the session is ending");
        return answerChange(request.id, await session[request.kind](request.changeIds));
    }
  };

  const callTool = async ({ id, toolId, input: toolInput }: Waiting & { kind: "call" }): Promise<void> => {
    const onProgress = progress ? (event: { kind: string; text: string }): void => wire.sendIfRoom({ id, progress: { kind: event.kind, text: event.text } }) : undefined;
    runningCall = id;
    const result = session.call({ callId: id, toolId, input: toolInput, ...(onProgress && { onProgress }) });
    if (ending) session.cancel(id);
    wire.send({ id, result: await result });
    runningCall = undefined;
  };

  /** A call that waits here is handed over and cancelled there: the session makes every result. */
  const cancel = (callId: string): boolean => {
    if (callId === runningCall) return session.cancel(callId);
    const index = waiting.findIndex((request) => request.kind === "call" && request.id === callId);
    const [request] = index === -1 ? [] : waiting.splice(index, 1);
    if (request?.kind !== "call") return false;
    const result = session.call({ callId, toolId: request.toolId, input: request.input });
    const cancelled = session.cancel(callId);
    pending.add(result.then((value) => wire.send({ id: callId, result: value })));
    return cancelled;
  };
  const pending = new Set<Promise<void>>();

  const answerChange = (id: string, { changed, conflicts, error }: ChangeOutcome): void =>
    error === undefined ? wire.send({ id, result: { changed, conflicts } }) : fail(id, error.code, error.message);

  const end = (): void => {
    ending = true;
    if (runningCall !== undefined) session.cancel(runningCall);
  };

  stop.addEventListener("abort", () => input.destroy(), { once: true });
  try {
    if (!stop.aborted) for await (const line of readLines(input)) accept("text" in line ? parseRequest(line.text) : { kind: "unreadable", id: null, message: line.fault });
  } catch {
    // The input was destroyed or broke: the host is gone, as at the end of input.
  }
  end();
  await running;
  await Promise.all(pending);
}
