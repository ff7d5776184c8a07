import type { CheckedPath } from "../paths/checked-path.ts";
import type { FileStep } from "./file-step.ts";

/** What a path holds, on the disk or after some of the changes; null: nothing. */
export interface FileState {
  /** SHA-256, hex. */
  readonly hash: string;
  /** Null where only the file on the disk has it: then `origin` says which. */
  readonly bytes: Buffer | null;
  /** The real path whose file on the disk this is, untouched. */
  readonly origin?: string;
  /** For a file that has to be made anew. */
  readonly permissions?: number | undefined;
}

/** One path over the course of several changes. */
export interface PathHistory {
  readonly path: CheckedPath;
  readonly initial: FileState | null;
  final: FileState | null;
  /** Directories to remove where the file goes and they are empty. */
  madeDirectories: readonly string[];
}

/**
 * The steps that lead from what is on the disk to the end of all changes: each path is touched once, however often it
 * changed between. Undefined where a content is needed that nobody has.
 */
export function netSteps(histories: readonly PathHistory[]): readonly FileStep[] | undefined {
  const byPath = new Map(histories.map((history) => [history.path.real, history]));
  const moves: FileStep[] = [];
  const moved = new Set<string>();
  for (const { path, initial, final } of histories) {
    const source = final?.origin === undefined ? undefined : byPath.get(final.origin);
    if (initial !== null || final === null || source === undefined || source.final !== null || moved.has(source.path.real)) continue;
    moves.push({ kind: "move", path: source.path, to: path, before: final.hash });
    moved.add(source.path.real).add(path.real);
  }
  const rest = histories.filter(({ path, initial, final }) => !moved.has(path.real) && initial?.hash !== final?.hash);
  const steps: FileStep[] = [];
  for (const { path, initial, final, madeDirectories } of rest) {
    if (final === null) steps.push({ kind: "remove", path, before: initial?.hash ?? "", madeDirectories });
    else if (final.bytes === null) return undefined;
    else steps.push({ kind: "write", path, before: initial?.hash ?? null, after: final.bytes, ...(initial === null && { permissions: final.permissions }) });
  }
  return [...moves, ...steps];
}
