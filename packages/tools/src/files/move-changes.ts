import type { FileChange } from "@fencepost/contract";
import type { SandboxPolicy } from "@fencepost/sandbox";
import type { SessionContext } from "../context/session-context.ts";
import type { CheckedPath } from "../paths/checked-path.ts";
import { resolvePath } from "../paths/resolve-path.ts";
import { carryOut } from "./carry-out.ts";
import { FileFault } from "./file-fault.ts";
import { sha256 } from "./hash.ts";
import { loadState } from "./load-state.ts";
import { lockFiles } from "./lock-files.ts";
import { netSteps, type FileState, type PathHistory } from "./net-steps.ts";
import { LockUnavailable } from "./write-locks.ts";

export interface MovedChanges {
  /** Real paths that changed. */
  readonly changed: readonly string[];
  /** Real paths that are not as the changes left them: then nothing was touched. */
  readonly conflicts: readonly string[];
  /** The disk is as it was, unless the code is `rollback_failed`. */
  readonly error?: { readonly code: string; readonly message: string };
}

/**
 * Takes changes back, newest first; a file's observation is not needed. Either all are undone or none: every file must
 * be as the changes left it, and a failure midway is rolled back.
 *
 * @param changes oldest first
 * @param policy must let every touched path be written: the session's mode with an exact grant a path
 */
export function undoChanges(session: SessionContext, changes: readonly FileChange[], policy: SandboxPolicy): Promise<MovedChanges> {
  return moveChanges(session, changes.toReversed().map(backwards), policy);
}

/** Applies undone changes again, oldest first, under the same conditions as `undoChanges`. */
export function reapplyChanges(session: SessionContext, changes: readonly FileChange[], policy: SandboxPolicy): Promise<MovedChanges> {
  return moveChanges(session, changes.map(forwards), policy);
}

/** A change as it is to be carried out: what must be at which path, and what is to be there then. */
interface Move {
  readonly from: string;
  readonly to: string;
  readonly before: FileState | null;
  readonly after: FileState | null;
  /** Directories that go with a file that is taken away. */
  readonly madeDirectories: readonly string[];
}

function forwards(change: FileChange): Move {
  const { before, after } = sides(change);
  return { from: change.fromRealPath ?? change.realPath, to: change.realPath, before, after, madeDirectories: [] };
}

function backwards(change: FileChange): Move {
  const { before, after } = sides(change);
  return { from: change.realPath, to: change.fromRealPath ?? change.realPath, before: after, after: before, madeDirectories: change.createdDirs ?? [] };
}

function sides(change: FileChange): { readonly before: FileState | null; readonly after: FileState | null } {
  return { before: side(change.beforeHash, change.beforeContent, change.mode), after: side(change.afterHash, change.afterContent, change.mode) };
}

function side(hash: string | null, content: string | null, permissions: number | undefined): FileState | null {
  return hash === null ? null : { hash, bytes: content === null ? null : Buffer.from(content), permissions };
}

async function moveChanges(session: SessionContext, moves: readonly Move[], policy: SandboxPolicy): Promise<MovedChanges> {
  if (moves.some(({ before, after }) => isDamaged(before) || isDamaged(after))) return refused("damaged", "A change's content does not fit its hash, so it is not used. Nothing was touched.");
  const paths = new Map<string, CheckedPath>();
  for (const real of new Set(moves.flatMap(({ from, to }) => [from, to]))) {
    const path = await resolvePath(real, "write", "mayCreate", session, policy);
    if ("refused" in path) return refused(path.refused.error?.code ?? "permission_denied", path.refused.error?.message ?? `${real} cannot be used.`);
    // Somebody put a symlink on the way: what is there now is another file.
    if (path.real !== real) return { changed: [], conflicts: [real] };
    paths.set(real, path);
  }
  try {
    return await lockFiles(session, [...paths.values()], () => moveLocked(session, moves, paths));
  } catch (error) {
    if (error instanceof FileFault) return refused(error.kind, error.message);
    if (error instanceof LockUnavailable) return refused("locked", error.message);
    throw error;
  }
}

async function moveLocked(session: SessionContext, moves: readonly Move[], paths: ReadonlyMap<string, CheckedPath>): Promise<MovedChanges> {
  const histories = new Map<string, PathHistory>();
  const conflicts = new Set<string>();
  for (const [real, path] of paths) {
    const initial = await loadState(session.fileSystem, path).catch((error: unknown) => {
      if (!(error instanceof FileFault) || error.kind !== "not_a_file") throw error;
      conflicts.add(real);
      return null;
    });
    histories.set(real, { path, initial, final: initial, madeDirectories: [] });
  }
  for (const move of moves) apply(move, histories, conflicts);
  if (conflicts.size > 0) return { changed: [], conflicts: [...conflicts] };
  const steps = netSteps([...histories.values()]);
  if (steps === undefined) return refused("content_unknown", "A changed file's content was not kept, so the changes cannot be carried out. Nothing was touched.");
  await carryOut(session, steps);
  return { changed: steps.flatMap((step) => (step.kind === "move" ? [step.path.real, step.to.real] : [step.path.real])), conflicts: [] };
}

/** Follows one change through what is known of its paths; where they are not as it expects, that is a conflict. */
function apply(move: Move, histories: ReadonlyMap<string, PathHistory>, conflicts: Set<string>): void {
  const [from, to] = [histories.get(move.from), histories.get(move.to)];
  if (!from || !to) return;
  if ((from.final?.hash ?? null) !== (move.before?.hash ?? null)) conflicts.add(move.from);
  if (to !== from && to.final !== null) conflicts.add(move.to);
  const kept = move.before?.hash === move.after?.hash ? from.final : null;
  if (to !== from) from.final = null;
  to.final = kept ?? move.after;
  from.madeDirectories = [...from.madeDirectories, ...move.madeDirectories];
}

function isDamaged(state: FileState | null): boolean {
  return state !== null && state.bytes !== null && sha256(state.bytes) !== state.hash;
}

function refused(code: string, message: string): MovedChanges {
  return { changed: [], conflicts: [], error: { code, message } };
}
