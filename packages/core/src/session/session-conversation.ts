import { isFileChangeArtifact, type FileChange } from "@fencepost/contract";
import type { Conversation } from "../conversation/conversation.ts";
import { createConversation } from "../conversation/conversation.ts";
import type { Message } from "../conversation/message.ts";

/** A conversation whose content can be replaced, for the case that another process has added to it. */
export interface SessionConversation extends Conversation {
  replace(messages: readonly Message[]): void;
  /** The state note that the model was told last. */
  lastStateText(): string | undefined;
}

export function createSessionConversation(stored: readonly Message[]): SessionConversation {
  let current = createConversation(stored);
  let stateText = lastState(stored);
  return {
    get messages() {
      return current.messages;
    },
    append(messages) {
      current.append(messages);
      stateText = lastState(messages) ?? stateText;
    },
    forRequest: () => current.forRequest(),
    replace(messages) {
      current = createConversation(messages);
      stateText = lastState(messages);
    },
    lastStateText: () => stateText,
  };
}

function lastState(messages: readonly Message[]): string | undefined {
  const note = messages.findLast((message) => message.role === "note" && message.kind === "state");
  return note?.role === "note" ? note.text : undefined;
}

/** The file changes that a stored conversation tells of, by call. */
export function storedChanges(messages: readonly Message[]): readonly { readonly callId: string; readonly changes: readonly FileChange[] }[] {
  return messages.flatMap((message) => {
    if (message.role !== "tool") return [];
    const changes = message.artifacts.filter(isFileChangeArtifact).map((artifact) => artifact.payload);
    return changes.length === 0 ? [] : [{ callId: message.callId, changes }];
  });
}
