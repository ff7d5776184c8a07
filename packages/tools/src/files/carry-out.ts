import { ownProcess } from "@fencepost/sandbox";
import type { CheckedPath } from "../paths/checked-path.ts";
import { throwIfCancelled } from "./cancelled.ts";
import type { JournalEntry } from "./commit-journal.ts";
import { FileFault, toFault } from "./file-fault.ts";
import { FileSystemError, type FileSystem } from "./file-system.ts";
import type { FileWork } from "./file-work.ts";
import { throughParent } from "./hold-parent.ts";
import { sha256 } from "./hash.ts";
import { missingParents, removeDirectories } from "./make-parents.ts";
import { moveFile } from "./move-file.ts";
import { takeFile } from "./take-file.ts";
import { temporaryName } from "./temporary-name.ts";
import { stageFile, type StagedFile } from "./stage-file.ts";
import { putFile } from "./put-file.ts";

/** One change of one file. `before`: SHA-256 (hex) of what must be on the disk; null where nothing may be. */
export type FileStep = WriteStep | RemoveStep | MoveStep;

export interface WriteStep {
  readonly kind: "write";
  readonly path: CheckedPath;
  readonly before: string | null;
  readonly after: Uint8Array;
  /** Default: the existing file's, or for a new one what the umask leaves of 0666. */
  readonly permissions?: number | undefined;
}

export interface RemoveStep {
  readonly kind: "remove";
  readonly path: CheckedPath;
  readonly before: string;
  /** Directories to remove afterwards where they are empty: those that came with the file. */
  readonly madeDirectories?: readonly string[];
}

export interface MoveStep {
  readonly kind: "move";
  readonly path: CheckedPath;
  readonly to: CheckedPath;
  readonly before: string;
}

export interface StepOutcome {
  readonly permissions: number;
  /** Directories made for it, outermost first. */
  readonly madeDirectories: readonly string[];
  /** How many other names (hard links) keep the old content. */
  readonly otherNames: number;
}

/** Takes one step back. */
export type Rollback = () => Promise<void>;

/** What one step is carried out with. */
export interface StepTools {
  readonly work: FileWork;
  /** Name beside a step's file for its old content; undefined where nothing has to be taken back. */
  readonly backup: string | undefined;
  /** Called before anything changes that cannot be seen to be half done. */
  readonly remember: (entries: readonly JournalEntry[]) => Promise<void>;
  readonly onRollback: (rollback: Rollback) => void;
  readonly signal: AbortSignal | undefined;
}

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
  const emptied: string[] = [];
  let settled = false;
  try {
    const entries = [...(await guarded(steps[0], () => parentEntries(fileSystem, steps))), ...(several ? steps.map((step, index) => entryOf(step, backups[index] ?? "")) : [])];
    if (entries.length > 0) await guarded(steps[0], () => remember(entries));
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
    // First what lies in the directories, then these.
    for (const file of staged) await file.discard();
    if (settled) await removeDirectories(fileSystem, staged.flatMap((file) => file.madeDirectories));
    throw settled ? error : rollbackFault(error, stuck);
  } finally {
    for (const file of staged) await file.discard();
    if (settled) {
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
