import type { FileChange } from "@fencepost/contract";
import { contentSize } from "./content-budget.ts";

/** How much file content a session keeps for undo in memory, in UTF-16 code units of both sides together. */
const maxKeptCharacters = 128 * 1024 * 1024;

/** The file changes of one session, oldest first. */
export interface ChangeLedger {
  readonly add: (callId: string, changes: readonly FileChange[]) => void;
  /** The named changes, oldest first, each once. A call's id stands for all its changes. */
  readonly find: (ids: readonly string[]) => FoundChanges;
  /** Marks changes as undone, or as applied again. */
  readonly mark: (changes: readonly FileChange[], undone: boolean) => void;
  readonly all: () => readonly FileChange[];
}

export interface FoundChanges {
  readonly changes: readonly FileChange[];
  /** Ids that name no change of this session, or one whose content is no longer kept. */
  readonly unknown: readonly string[];
}

interface Entry {
  readonly callId: string;
  change: FileChange;
}

export function createChangeLedger(limitCharacters = maxKeptCharacters): ChangeLedger {
  const entries = new Map<string, Entry>();
  let kept = 0;
  const dropOldest = (): void => {
    for (const [id, entry] of entries) {
      if (kept <= limitCharacters || entries.size === 1) return;
      kept -= contentSize(entry.change);
      entries.delete(id);
    }
  };
  return {
    add(callId, changes) {
      for (const change of changes) {
        entries.set(change.changeId, { callId, change });
        kept += contentSize(change);
      }
      dropOldest();
    },
    find(ids) {
      const wanted = new Set(ids);
      const named = [...entries.values()].filter((entry) => wanted.has(entry.change.changeId) || wanted.has(entry.callId));
      const known = new Set(named.flatMap((entry) => [entry.change.changeId, entry.callId]));
      return { changes: named.map((entry) => entry.change), unknown: ids.filter((id) => !known.has(id)) };
    },
    mark(changes, undone) {
      for (const { changeId } of changes) {
        const entry = entries.get(changeId);
        if (entry) entry.change = { ...entry.change, undone };
      }
    },
    all: () => [...entries.values()].map((entry) => entry.change),
  };
}
