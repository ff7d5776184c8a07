import type { LanguageModelV3FinishReason, LanguageModelV3StreamPart, LanguageModelV3Usage } from "@ai-sdk/provider";
import type { FinishReason, ModelEvent, ModelUsage } from "../model-port.ts";

/**
 * What a part of the AI SDK's stream means to a session; undefined where nothing.
 *
 * @throws whatever the stream reports as its error
 */
export function toEvent(part: LanguageModelV3StreamPart): ModelEvent | undefined {
  switch (part.type) {
    case "text-delta":
      return { type: "text", text: part.delta };
    case "reasoning-delta":
    case "tool-input-delta":
      return { type: "reasoning", text: part.delta };
    case "tool-call":
      return {
        type: "tool_call",
        modelCallId: part.toolCallId,
        toolId: part.toolName,
        input: part.input,
        ...(part.providerMetadata && { metadata: part.providerMetadata }),
      };
    case "finish":
      return isCut(part.finishReason) ? undefined : { type: "finish", reason: finishReason(part.finishReason), usage: usageOf(part.usage) };
    case "error":
      throw part.error;
    default:
      return undefined;
  }
}

/** Providers end a stream that broke off with this: no reason was ever sent. */
function isCut({ unified, raw }: LanguageModelV3FinishReason): boolean {
  return unified === "other" && raw === undefined;
}

const reasons: Readonly<Record<LanguageModelV3FinishReason["unified"], FinishReason>> = {
  stop: "stop",
  length: "length",
  "content-filter": "content_filter",
  "tool-calls": "tool_calls",
  error: "error",
  other: "other",
};

function finishReason({ unified }: LanguageModelV3FinishReason): FinishReason {
  return reasons[unified];
}

function usageOf({ inputTokens, outputTokens }: LanguageModelV3Usage): ModelUsage {
  return {
    ...(inputTokens.total !== undefined && { inputTokens: inputTokens.total }),
    ...(inputTokens.cacheRead !== undefined && { cachedInputTokens: inputTokens.cacheRead }),
    ...(outputTokens.total !== undefined && { outputTokens: outputTokens.total }),
    ...(outputTokens.reasoning !== undefined && { reasoningTokens: outputTokens.reasoning }),
  };
}
