import { MockLanguageModelV3 } from "ai/test";

/** One answer of the model: calls, or the text that ends the turn. */
type Answer = string | readonly { readonly id: string; readonly tool: string; readonly input: object }[];

const usage = { inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 }, outputTokens: { total: 1, text: 1, reasoning: 0 } };

/** The AI SDK's mock model with a script, so that the example runs offline. */
export function scriptedSdkModel(answers: readonly Answer[]): MockLanguageModelV3 {
  return new MockLanguageModelV3({
    doGenerate: answers.map((answer) => ({
      content:
        typeof answer === "string"
          ? [{ type: "text" as const, text: answer }]
          : answer.map(({ id, tool, input }) => ({ type: "tool-call" as const, toolCallId: id, toolName: tool, input: JSON.stringify(input) })),
      finishReason: typeof answer === "string" ? { unified: "stop" as const, raw: undefined } : { unified: "tool-calls" as const, raw: undefined },
      usage,
      warnings: [],
    })),
  });
}
