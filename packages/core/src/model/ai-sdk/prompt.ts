import type { LanguageModelV3Message, LanguageModelV3Prompt, LanguageModelV3ToolResultPart } from "@ai-sdk/provider";
import { resultText } from "@fencepost/contract";
import type { AssistantMessage, Message, NoteMessage, ToolCall, ToolMessage } from "../../conversation/message.ts";

/** A session's messages as the AI SDK sends them. Artifacts are not among them. */
export function toPrompt(system: string, messages: readonly Message[]): LanguageModelV3Prompt {
  const prompt: LanguageModelV3Message[] = [{ role: "system", content: system }];
  for (const message of messages) {
    const last = prompt.at(-1);
    if (message.role === "tool" && last?.role === "tool") last.content.push(toolResult(message));
    else if (!isEmpty(message)) prompt.push(toMessage(message));
  }
  return prompt;
}

/** Providers refuse an assistant's message without content. */
function isEmpty(message: Message): boolean {
  return message.role === "assistant" && message.text === "" && message.toolCalls.length === 0;
}

function toMessage(message: Message): LanguageModelV3Message {
  switch (message.role) {
    case "user":
      return userText(message.text);
    case "note":
      return userText(noteText(message));
    case "assistant":
      return assistantMessage(message);
    default:
      return { role: "tool", content: [toolResult(message)] };
  }
}

function userText(text: string): LanguageModelV3Message {
  return { role: "user", content: [{ type: "text", text }] };
}

const noteTags: Readonly<Record<NoteMessage["kind"], string>> = { state: "session_state", mailbox: "agent_message", task: "background_command" };

function noteText({ kind, text }: NoteMessage): string {
  return `<${noteTags[kind]}>\n${text}\n</${noteTags[kind]}>`;
}

function assistantMessage({ text, toolCalls }: AssistantMessage): LanguageModelV3Message {
  return {
    role: "assistant",
    content: [
      ...(text === "" ? [] : [{ type: "text" as const, text }]),
      ...toolCalls.map((call) => ({
        type: "tool-call" as const,
        // Ours: the model's own may come again in a later message.
        toolCallId: call.callId,
        toolName: call.toolId,
        input: argumentsOf(call),
        ...(call.metadata && { providerOptions: call.metadata }),
      })),
    ],
  };
}

/** Providers refuse arguments that are no object; the call's result says what was wrong with them. */
function argumentsOf(call: ToolCall): object {
  try {
    const value: unknown = JSON.parse(call.input);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
  } catch {
    return {};
  }
}

function toolResult(message: ToolMessage): LanguageModelV3ToolResultPart {
  return { type: "tool-result", toolCallId: message.callId, toolName: message.toolId, output: toolOutput(message) };
}

function toolOutput(message: ToolMessage): LanguageModelV3ToolResultPart["output"] {
  if (message.status !== "success") return { type: "error-text", value: resultText(message) };
  if (!message.content.some((part) => part.type === "image")) return { type: "text", value: resultText(message) };
  return {
    type: "content",
    value: message.content.map((part) => (part.type === "text" ? { type: "text", text: part.text } : { type: "image-data", data: part.data, mediaType: part.mediaType })),
  };
}
