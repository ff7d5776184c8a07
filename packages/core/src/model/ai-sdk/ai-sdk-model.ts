import type { LanguageModelV3, LanguageModelV3CallOptions, LanguageModelV3StreamResult, SharedV3ProviderOptions } from "@ai-sdk/provider";
import { setTimeout as delay } from "node:timers/promises";
import type { ModelPort, ModelRequest } from "../model-port.ts";
import { toPrompt } from "./prompt.ts";
import { isRetryable, readableError, retryAfterMs } from "./request-error.ts";
import { toEvent } from "./stream-part.ts";

export interface AiSdkModelOptions {
  /** How often a request that failed before it said anything is made again, if its error says that this may help. Default 2. */
  readonly maxRetries?: number;
  /** Before the first retry, in milliseconds; doubled before each next. A server may ask for another wait, of at most a minute. Default 1,000. */
  readonly retryDelayMs?: number;
  readonly maxOutputTokens?: number;
  readonly temperature?: number;
  readonly providerOptions?: SharedV3ProviderOptions;
}

/**
 * A model of any AI SDK provider (specification v3, as of AI SDK 6), driven without the SDK's own tool loop: no tool
 * is ever run by it.
 *
 * Reasoning is read and dropped, so models that want their own reasoning back with a tool call are to be used without.
 */
export function aiSdkModel(model: LanguageModelV3, options: AiSdkModelOptions = {}): ModelPort {
  return {
    id: `${model.provider}/${model.modelId}`,
    async *stream(request, signal) {
      try {
        const { stream } = await startStream(model, callOptions(request, signal, options), options);
        for await (const part of stream) {
          const event = toEvent(part);
          if (event) yield event;
        }
      } catch (error) {
        throw readableError(error);
      }
    },
  };
}

function callOptions(request: ModelRequest, signal: AbortSignal, options: AiSdkModelOptions): LanguageModelV3CallOptions {
  const { maxOutputTokens, temperature, providerOptions } = options;
  return {
    prompt: toPrompt(request.system, request.messages),
    tools: request.tools.map(({ id, description, inputSchema }) => ({ type: "function", name: id, description, inputSchema })),
    abortSignal: signal,
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(temperature !== undefined && { temperature }),
    ...(providerOptions && { providerOptions }),
  };
}

const defaultMaxRetries = 2;
const defaultRetryDelayMs = 1_000;

async function startStream(model: LanguageModelV3, call: LanguageModelV3CallOptions, options: AiSdkModelOptions): Promise<LanguageModelV3StreamResult> {
  const { maxRetries = defaultMaxRetries, retryDelayMs = defaultRetryDelayMs } = options;
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await model.doStream(call);
    } catch (error) {
      if (attempt >= maxRetries || !isRetryable(error) || call.abortSignal?.aborted) throw error;
      await delay(retryAfterMs(error) ?? retryDelayMs * 2 ** attempt, undefined, call.abortSignal ? { signal: call.abortSignal } : {});
    }
  }
}
