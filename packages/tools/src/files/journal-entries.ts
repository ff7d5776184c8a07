import type { JournalEntry } from "./commit-journal.ts";
import type { FileStep } from "./file-step.ts";
import type { FileSystem } from "./file-system.ts";
import { sha256 } from "./hash.ts";
import { missingParents } from "./make-parents.ts";

/**
 * What the journal has to know before steps begin.
 *
 * @param backups one a step: the name beside it that its old content gets; undefined for a single step, which is atomic
 */
export async function journalEntries(fileSystem: FileSystem, steps: readonly FileStep[], backups: readonly (string | undefined)[]): Promise<readonly JournalEntry[]> {
  const changes = steps.flatMap((step, index) => {
    const backup = backups[index];
    return backup === undefined ? [] : [entryOf(step, backup)];
  });
  return [...(await parentEntries(fileSystem, steps)), ...changes];
}

/** First in the journal, so last to be taken back: until then something may lie in them. */
async function parentEntries(fileSystem: FileSystem, steps: readonly FileStep[]): Promise<readonly JournalEntry[]> {
  const directories = new Set<string>();
  for (const step of steps) {
    if (step.kind !== "write" || step.before !== null) continue;
    for (const directory of await missingParents(fileSystem, step.path.real)) directories.add(directory);
  }
  return directories.size === 0 ? [] : [{ kind: "parents", directories: [...directories] }];
}

function entryOf(step: FileStep, backup: string): JournalEntry {
  const path = step.path.real;
  if (step.kind === "write") return { kind: "put", path, backup: step.before === null ? null : backup, after: sha256(step.after) };
  return step.kind === "remove" ? { kind: "take", path, backup } : { kind: "move", from: path, to: step.to.real };
}
