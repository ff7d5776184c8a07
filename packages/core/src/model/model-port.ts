import type { ToolDefinition } from "@fencepost/contract";
import type { Message } from "../conversation/message.ts";

/** A model that a session can drive. Small on purpose: one streaming request, and how it ended. */
export interface ModelPort {
  /** For people and the trace, such as `openai/gpt-5`. */
  readonly id: string;
  /**
   * One request. The events end with exactly one `finish`; a stream that ends without one, or goes on after it, is
   * taken as broken and what it said is discarded. Throwing means that the model could not answer. Ends soon after
   * `signal` is aborted, however it ends.
   */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
}

export interface ModelRequest {
  /** The host's instructions: the same for every request of a session. */
  readonly system: string;
  /** Oldest first. Must not be kept: it grows while the turn goes on. */
  readonly messages: readonly Message[];
  readonly tools: readonly ToolDefinition[];
}

export type ModelEvent =
  | { readonly type: "text"; readonly text: string }
  /** Shown to nobody and not stored; it keeps the idle clock from running out. */
  | { readonly type: "reasoning"; readonly text: string }
  /** Complete: `input` is the whole JSON text of the arguments. */
  | { readonly type: "tool_call"; readonly modelCallId: string; readonly toolId: string; readonly input: string; readonly metadata?: CallMetadata }
  | { readonly type: "finish"; readonly reason: FinishReason; readonly usage?: ModelUsage };

/** What a provider wants to see again with its call, such as a signature. Kept with the call, shown to nobody. JSON. */
export type CallMetadata = Readonly<Record<string, JsonObject>>;

export interface JsonObject {
  readonly [key: string]: JsonValue | undefined;
}

export type JsonValue = null | string | number | boolean | JsonObject | JsonValue[];

/** `length`: the model's output limit cut the response off. */
export type FinishReason = "stop" | "tool_calls" | "length" | "content_filter" | "error" | "other";

/** In tokens, as the provider counts them. */
export interface ModelUsage {
  readonly inputTokens?: number;
  /** Of the input, what the provider had cached. */
  readonly cachedInputTokens?: number;
  readonly outputTokens?: number;
  /** Of the output, what was reasoning. */
  readonly reasoningTokens?: number;
}
