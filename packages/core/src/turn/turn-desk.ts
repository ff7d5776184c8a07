import { randomBytes } from "node:crypto";
import type { Message } from "../conversation/message.ts";
import { runTurn } from "./run-turn.ts";
import { persistenceError } from "./run-batch.ts";
import type { TurnHost } from "./turn-host.ts";
import type { PromptResult, TurnFailureCode, TurnOutcome } from "./turn-outcome.ts";

export interface PromptOptions {
  /** The client's own id: asking again with it gives the same turn. */
  readonly requestId?: string;
  /** Cancels the turn. */
  readonly signal?: AbortSignal;
}

/** Starts a session's turns, one at a time. */
export interface TurnDesk {
  /** Never rejects. */
  prompt(text: string, options?: PromptOptions): Promise<PromptResult>;
  /** False where no turn runs. Takes effect at once. */
  cancel(): boolean;
  readonly running: boolean;
  /** Settles when no turn runs. */
  idle(): Promise<void>;
}

export interface TurnDeskParts extends TurnHost {
  /** Before a turn's first message: what was remembered for the last turn goes. */
  readonly onTurnStart: () => void;
  /** Another process has added to the session: take its messages from the store. */
  readonly reload: () => Promise<void>;
}

interface RunningTurn {
  readonly requestId: string | undefined;
  readonly controller: AbortController;
  readonly result: Promise<PromptResult>;
}

const turnIdBytes = 6;

export function createTurnDesk(host: TurnDeskParts): TurnDesk {
  let running: RunningTurn | undefined;
  /** A turn whose end could not be stored: to the store it still runs, and would keep every later one out. */
  let unended: { readonly turnId: string; readonly outcome: TurnOutcome } | undefined;

  const endStored = async (turnId: string, outcome: TurnOutcome): Promise<TurnOutcome> => {
    try {
      await host.store.endTurn(turnId, outcome);
      return outcome;
    } catch {
      unended = { turnId, outcome: persistenceError };
      return persistenceError;
    }
  };

  const run = async (text: string, requestId: string | undefined, signal: AbortSignal): Promise<PromptResult> => {
    const turnId = randomBytes(turnIdBytes).toString("hex");
    const first: readonly Message[] = [...host.dueNotes(), ...host.startNotes(), { role: "user", text }];
    let start: Awaited<ReturnType<TurnHost["store"]["beginTurn"]>>;
    try {
      if (unended) await host.store.endTurn(unended.turnId, unended.outcome);
      unended = undefined;
      const request = requestId === undefined ? {} : { requestId };
      start = await host.store.beginTurn({ turnId, sessionId: host.sessionId, startedAt: Date.now(), messages: first, ...request });
      if (start.kind === "busy") return refused("busy", "another turn runs in this session");
      if (start.kind === "known") return start.turn.outcome ? { turnId: start.turn.turnId, outcome: start.turn.outcome } : refused("busy", "this request is being answered by another process");
      if (start.precededBy === host.conversation.messages.length) host.conversation.append(first);
      else await host.reload();
    } catch {
      return { outcome: persistenceError };
    }
    host.onTurnStart();
    host.events.emit({ type: "turn_started", turnId, text });
    const outcome = await endStored(turnId, await guarded(host, turnId, signal));
    host.events.emit({ type: "turn_finished", turnId, outcome });
    return { turnId, outcome };
  };

  return {
    prompt(text, { requestId, signal } = {}) {
      if (running) {
        if (requestId !== undefined && running.requestId === requestId) return running.result;
        return Promise.resolve(refused("busy", "a turn runs in this session: wait for it, or cancel it"));
      }
      const controller = new AbortController();
      const both = signal ? AbortSignal.any([controller.signal, signal]) : controller.signal;
      const result = run(text, requestId, both).finally(() => {
        running = undefined;
      });
      running = { requestId, controller, result };
      return result;
    },
    cancel() {
      if (!running || running.controller.signal.aborted) return false;
      running.controller.abort();
      return true;
    },
    get running() {
      return running !== undefined;
    },
    async idle() {
      await running?.result;
    },
  };
}

async function guarded(host: TurnHost, turnId: string, signal: AbortSignal): Promise<TurnOutcome> {
  try {
    return await runTurn(host, { turnId, signal });
  } catch (error) {
    return { status: "failed", code: "internal_error", message: error instanceof Error ? error.message : String(error) };
  }
}

export function refused(code: TurnFailureCode, message: string): PromptResult {
  return { outcome: { status: "failed", code, message } };
}
