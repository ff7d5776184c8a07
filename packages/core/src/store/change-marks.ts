import { isFileChangeArtifact } from "@fencepost/contract";
import type { Message } from "../conversation/message.ts";

/** The message with its file changes marked as the store knows them by now. */
export function withUndone(message: Message, undone: ReadonlyMap<string, boolean>): Message {
  if (message.role !== "tool" || undone.size === 0 || message.artifacts.length === 0) return message;
  const artifacts = message.artifacts.map((artifact) => {
    if (!isFileChangeArtifact(artifact)) return artifact;
    const mark = undone.get(artifact.payload.changeId);
    return mark === undefined ? artifact : { ...artifact, payload: { ...artifact.payload, undone: mark } };
  });
  return { ...message, artifacts };
}
