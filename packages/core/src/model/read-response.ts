import type { CallMetadata, FinishReason, ModelEvent, ModelPort, ModelRequest, ModelUsage } from "./model-port.ts";

/** How long a model may say nothing at all before the request counts as failed, in milliseconds. */
export const modelIdleTimeoutMs = 300_000;

export type ModelResponse =
  | {
      readonly kind: "response";
      readonly text: string;
      readonly calls: readonly ModelCall[];
      readonly reason: FinishReason;
      readonly usage?: ModelUsage;
    }
  | { readonly kind: "failed"; readonly code: "model_error" | "model_protocol_error"; readonly message: string }
  | { readonly kind: "cancelled" };

export interface ModelCall {
  readonly modelCallId: string;
  readonly toolId: string;
  readonly input: string;
  readonly metadata?: CallMetadata;
}

export interface ReadOptions {
  readonly signal: AbortSignal;
  readonly idleTimeoutMs: number;
  readonly onText: (text: string) => void;
}

/** Asks once and reads the whole stream. A stream that was cut, doubled or cancelled gives nothing of what it said. */
export async function readResponse(model: ModelPort, request: ModelRequest, options: ReadOptions): Promise<ModelResponse> {
  const idle = new AbortController();
  const signal = AbortSignal.any([options.signal, idle.signal]);
  const draft = createDraft(options.onText);
  let events: AsyncIterator<ModelEvent> | undefined;
  try {
    events = model.stream(request, signal)[Symbol.asyncIterator]();
    for (;;) {
      const next = await nextEvent(events, signal, () => idle.abort(), options.idleTimeoutMs);
      if (signal.aborted) break;
      if (next.done) return draft.end();
      const fault = draft.take(next.value);
      if (fault !== undefined) return broken(fault);
    }
  } catch (error) {
    if (!signal.aborted) return { kind: "failed", code: "model_error", message: errorText(error) };
  } finally {
    // Not awaited: a port that hangs must not hold the turn.
    void Promise.resolve(events?.return?.()).catch(() => undefined);
  }
  if (options.signal.aborted) return { kind: "cancelled" };
  return { kind: "failed", code: "model_error", message: `the model said nothing for ${options.idleTimeoutMs / 1000} s` };
}

/** The next event, or an early end when the signal fires first: a port that ignores its signal is not waited for. */
async function nextEvent(events: AsyncIterator<ModelEvent>, signal: AbortSignal, onIdle: () => void, idleTimeoutMs: number): Promise<IteratorResult<ModelEvent>> {
  let onAbort!: () => void;
  const aborted = new Promise<IteratorResult<ModelEvent>>((resolve) => {
    onAbort = () => resolve({ done: true, value: undefined });
    signal.addEventListener("abort", onAbort, { once: true });
  });
  const timer = setTimeout(onIdle, idleTimeoutMs);
  try {
    return await Promise.race([events.next(), aborted]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
  }
}

interface Draft {
  /** What is wrong with the stream, if anything. */
  take(event: ModelEvent): string | undefined;
  end(): ModelResponse;
}

function createDraft(onText: (text: string) => void): Draft {
  const texts: string[] = [];
  const calls = new Map<string, ModelCall>();
  let finish: Extract<ModelEvent, { type: "finish" }> | undefined;
  return {
    take(event) {
      if (finish) return event.type === "finish" ? "it ended twice" : "it went on after its end";
      switch (event.type) {
        case "text":
          texts.push(event.text);
          if (event.text !== "") onText(event.text);
          return undefined;
        case "tool_call": {
          if (event.modelCallId === "" || event.toolId === "") return "a tool call had no id or no name";
          if (calls.has(event.modelCallId)) return `the call id ${JSON.stringify(event.modelCallId)} was used twice`;
          const { modelCallId, toolId, input, metadata } = event;
          calls.set(modelCallId, { modelCallId, toolId, input, ...(metadata && { metadata }) });
          return undefined;
        }
        case "finish":
          finish = event;
          return undefined;
        default:
          return undefined;
      }
    },
    end() {
      if (!finish) return broken("it was cut off before its end");
      if (finish.reason === "error") return { kind: "failed", code: "model_error", message: "the model reported an error" };
      if (finish.reason === "content_filter") return { kind: "failed", code: "model_error", message: "the provider's content filter stopped the answer" };
      return { kind: "response", text: texts.join(""), calls: [...calls.values()], reason: finish.reason, ...(finish.usage && { usage: finish.usage }) };
    },
  };
}

function broken(what: string): ModelResponse {
  return { kind: "failed", code: "model_protocol_error", message: `the model's stream is not usable: ${what}` };
}

/** The most of an error's text that is kept: some quote the whole answer they could not read. */
const maxErrorCharacters = 1_000;

/** Streams report errors as `Error`s, as objects with a message, or as texts. */
function errorText(error: unknown): string {
  const message = typeof error === "object" && error !== null && "message" in error ? error.message : error;
  if (typeof message !== "string" || message === "") return "the request failed";
  const characters = Array.from(message);
  return characters.length > maxErrorCharacters ? `${characters.slice(0, maxErrorCharacters).join("")}…` : message;
}
