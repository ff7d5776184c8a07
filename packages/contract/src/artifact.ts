import type { FileChange } from "./file-change.ts";

/** Something a call made for people and programs. Never sent to a model, never counted as tokens. */
export interface Artifact<Kind extends string = string, Payload = unknown> {
  readonly kind: Kind;
  readonly payload: Payload;
}

export type FileChangeArtifact = Artifact<"file_change", FileChange>;

export function isFileChangeArtifact(artifact: Artifact): artifact is FileChangeArtifact {
  return artifact.kind === "file_change";
}
