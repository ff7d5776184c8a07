import { isFileChangeArtifact, type Artifact, type FileChange } from "@fencepost/contract";

/** How much file content a conversation, and the events kept for replay, each hold for their diffs, in UTF-16 code units. */
const heldCharacters = 32 * 1024 * 1024;

/** Bounds the file content that is held beside the texts: beyond the limit the oldest is let go. Diffs stay whole. */
export interface ContentBudget {
  /** @param letGo called once, when the contents of these artifacts no longer fit, with the same artifacts without them */
  add(artifacts: readonly Artifact[], letGo: (without: readonly Artifact[]) => void): void;
}

export function createContentBudget(limitCharacters = heldCharacters): ContentBudget {
  const held: { readonly size: number; readonly letGo: () => void }[] = [];
  let total = 0;
  return {
    add(artifacts, letGo) {
      const size = artifacts.reduce((sum, artifact) => sum + (isFileChangeArtifact(artifact) ? contentSize(artifact.payload) : 0), 0);
      if (size === 0) return;
      held.push({ size, letGo: () => letGo(artifacts.map(withoutContent)) });
      total += size;
      // The newest is kept, whatever its size.
      while (total > limitCharacters && held.length > 1) {
        const oldest = held.shift();
        total -= oldest?.size ?? 0;
        oldest?.letGo();
      }
    },
  };
}

/** Both sides together, in UTF-16 code units. */
export function contentSize({ beforeContent, afterContent }: FileChange): number {
  return (beforeContent?.length ?? 0) + (afterContent?.length ?? 0);
}

function withoutContent(artifact: Artifact): Artifact {
  if (!isFileChangeArtifact(artifact)) return artifact;
  const payload: FileChange = { ...artifact.payload, beforeContent: null, afterContent: null };
  return { ...artifact, payload };
}
