import { createContentBudget } from "../changes/content-budget.ts";
import type { Message, ToolCall } from "./message.ts";
import { missingToolMessage } from "./tool-message.ts";

/**
 * The messages of one session in memory, oldest first. Only what is stored is in it; of old changes, only the diffs and
 * not the files' contents, which the store has.
 */
export interface Conversation {
  readonly messages: readonly Message[];
  append(messages: readonly Message[]): void;
  /** As a model may see it: each tool call has its result right behind its message. */
  forRequest(): readonly Message[];
}

export function createConversation(stored: readonly Message[] = []): Conversation {
  const messages: Message[] = [];
  const open = new Map<string, ToolCall>();
  const contents = createContentBudget();
  const append = (added: readonly Message[]): void => {
    for (const message of added) {
      const place = messages.push(message) - 1;
      if (message.role === "tool") contents.add(message.artifacts, (artifacts) => (messages[place] = { ...message, artifacts }));
      if (message.role === "assistant") for (const call of message.toolCalls) open.set(call.callId, call);
      if (message.role === "tool") open.delete(message.callId);
    }
  };
  append(stored);
  return {
    messages,
    append,
    forRequest: () => (open.size === 0 ? messages : withMissingResults(messages, open)),
  };
}

function withMissingResults(messages: readonly Message[], open: ReadonlyMap<string, ToolCall>): readonly Message[] {
  const complete: Message[] = [];
  let owed: ToolCall[] = [];
  const settle = (): void => {
    complete.push(...owed.map(missingToolMessage));
    owed = [];
  };
  for (const message of messages) {
    if (message.role !== "tool") settle();
    complete.push(message);
    if (message.role === "assistant") owed = message.toolCalls.filter((call) => open.has(call.callId));
  }
  settle();
  return complete;
}
