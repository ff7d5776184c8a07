import type { FinishReason, ModelEvent, ModelPort, ModelRequest, ModelUsage } from "./model-port.ts";

/** One scripted response of a model. */
export interface ScriptedStep {
  readonly text?: string;
  readonly calls?: readonly ScriptedCall[];
  /** Default: `tool_calls` where there are calls, else `stop`. */
  readonly finish?: FinishReason;
  readonly usage?: ModelUsage;
  /** Before each piece of text, in milliseconds: for demos that are to be watched. */
  readonly delayMs?: number;
}

export interface ScriptedCall {
  readonly toolId: string;
  readonly input: unknown;
  readonly modelCallId?: string;
}

/** A step, or a function of the request where the answer depends on what happened. */
export type ScriptedAnswer = ScriptedStep | ((request: ModelRequest) => ScriptedStep);

/** A model that says what the script says, a step a request, and then that it is done. Needs no network. */
export function scriptedModel(steps: Iterable<ScriptedAnswer>, id = "scripted"): ModelPort {
  const script = steps[Symbol.iterator]();
  return {
    id,
    async *stream(request, signal) {
      const next = script.next();
      const answer: ScriptedAnswer = next.done ? { text: "The script has ended." } : next.value;
      yield* play(typeof answer === "function" ? answer(request) : answer, signal);
    },
  };
}

async function* play(step: ScriptedStep, signal: AbortSignal): AsyncGenerator<ModelEvent> {
  for (const text of pieces(step.text ?? "")) {
    if (step.delayMs !== undefined) await pause(step.delayMs, signal);
    signal.throwIfAborted();
    yield { type: "text", text };
  }
  const calls = step.calls ?? [];
  for (const [index, call] of calls.entries()) {
    signal.throwIfAborted();
    const input = typeof call.input === "string" ? call.input : JSON.stringify(call.input);
    yield { type: "tool_call", modelCallId: call.modelCallId ?? `call_${index}`, toolId: call.toolId, input };
  }
  yield { type: "finish", reason: step.finish ?? (calls.length > 0 ? "tool_calls" : "stop"), ...(step.usage && { usage: step.usage }) };
}

/** Word by word, as a model streams: a word keeps the white space before it. */
function pieces(text: string): readonly string[] {
  return text.match(/\s*\S+|\s+$/g) ?? [];
}

async function pause(delayMs: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(done, delayMs);
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    }
    signal.addEventListener("abort", done, { once: true });
  });
}
