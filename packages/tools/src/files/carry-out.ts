import { ownProcess } from "@fencepost/sandbox";
import { throwIfCancelled } from "./cancelled.ts";
import type { JournalEntry } from "./commit-journal.ts";
import { FileFault, toFault } from "./file-fault.ts";
import { FileSystemError } from "./file-system.ts";
import type { FileWork } from "./file-work.ts";
import type { FileStep, Rollback, StepOutcome, StepTools } from "./file-step.ts";
import { throughParent } from "./hold-parent.ts";
import { journalEntries } from "./journal-entries.ts";
import { removeDirectories } from "./make-parents.ts";
import { moveFile } from "./move-file.ts";
import { takeFile } from "./take-file.ts";
import { temporaryName } from "./temporary-name.ts";
import { stageFile, type StagedFile } from "./stage-file.ts";
import { putFile } from "./put-file.ts";

/**
 * Carries out steps, all or none: everything is staged first, each file is compared with what it must be right before
 * it changes, and a failure midway, or a cancelled `signal`, takes the earlier steps back. The caller holds the write
 * locks.
 * Rejects with a `FileFault`; then the disk is as it was, unless its kind is `rollback_failed`.
 */
export async function carryOut(work: FileWork, steps: readonly FileStep[], signal?: AbortSignal): Promise<readonly StepOutcome[]> {
  const { fileSystem } = work;
  const rollbacks: { readonly shown: string; readonly rollback: Rollback }[] = [];
  const forget: (() => Promise<void>)[] = [];
  const staged: StagedFile[] = [];
  const several = steps.length > 1;
  const backups = steps.map(() => (several ? temporaryName(ownProcess()) : undefined));
  const remember = async (entries: readonly JournalEntry[]): Promise<void> => {
    const done = await work.journal?.begin(entries);
    if (done !== undefined) forget.push(done);
  };
  /** Directories that were made for nothing, and those that the steps leave empty. */
  const [unused, emptied]: [string[], string[]] = [[], []];
  let settled = false;
  try {
    await guarded(steps[0], async () => {
      const entries = await journalEntries(fileSystem, steps, backups);
      if (entries.length > 0) await remember(entries);
    });
    for (const step of steps) {
      throwIfCancelled(signal);
      if (step.kind === "write") staged.push(await guarded(step, () => stageFile(work, step)));
    }
    const outcomes: StepOutcome[] = [];
    for (const [index, step] of steps.entries()) {
      throwIfCancelled(signal);
      const tools: StepTools = { work, signal, backup: backups[index], remember, onRollback: (rollback) => void rollbacks.push({ shown: step.path.shown, rollback }) };
      outcomes.push(await guarded(step, () => carryOutOne(step, staged, tools)));
    }
    settled = true;
    for (const path of steps.flatMap(touchedPaths)) work.protectedWrites?.written(path);
    emptied.push(...steps.flatMap((step) => (step.kind === "remove" ? (step.madeDirectories ?? []) : [])));
    return outcomes;
  } catch (error) {
    const stuck = await takeBack(rollbacks);
    settled = stuck.length === 0;
    unused.push(...staged.flatMap((file) => file.madeDirectories));
    throw settled ? error : rollbackFault(error, stuck);
  } finally {
    for (const file of staged) await file.discard();
    if (settled) {
      await removeDirectories(fileSystem, unused);
      // Before the backups go: half of them could take back only half of the steps.
      for (const done of forget) await done();
      for (const [index, step] of steps.entries()) await dropBackup(work, step, backups[index]);
      await removeDirectories(fileSystem, emptied);
    }
  }
}

function touchedPaths(step: FileStep): readonly string[] {
  return step.kind === "move" ? [step.path.real, step.to.real] : [step.path.real];
}

function carryOutOne(step: FileStep, staged: readonly StagedFile[], tools: StepTools): Promise<StepOutcome> {
  if (step.kind === "write") return putFile(step, staged.find((file) => file.step === step), tools);
  return step.kind === "remove" ? takeFile(step, tools) : moveFile(step, tools);
}

async function guarded<T>(step: FileStep | undefined, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toFault(error, step?.path.shown ?? "The file", "write");
  }
}

/** Gives the files that could not be taken back. */
async function takeBack(rollbacks: readonly { readonly shown: string; readonly rollback: Rollback }[]): Promise<readonly string[]> {
  const stuck: string[] = [];
  for (const { shown, rollback } of rollbacks.toReversed()) {
    await rollback().catch((error: unknown) => stuck.push(`${shown} (${reasonOf(error)})`));
  }
  return stuck;
}

function reasonOf(error: unknown): string {
  if (error instanceof FileSystemError) return error.code;
  return error instanceof FileFault && error.kind === "changed" ? "changed meanwhile" : "failed";
}

function rollbackFault(cause: unknown, stuck: readonly string[]): FileFault {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new FileFault(
    "rollback_failed",
    `${reason} Taking back what was done before failed too: ${stuck.join(", ")} now has the new content or another program's, or is missing. Read these files and tell the user.`,
  );
}

async function dropBackup(work: FileWork, step: FileStep, backup: string | undefined): Promise<void> {
  if (backup === undefined || step.kind === "move") return;
  await throughParent(work.fileSystem, step.path.real, (_, at) => work.fileSystem.unlink(at(backup))).catch(() => undefined);
}
