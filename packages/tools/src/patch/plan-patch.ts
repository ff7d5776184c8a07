import { setImmediate as nextTurn } from "node:timers/promises";
import type { FileChange } from "@fencepost/contract";
import { throwIfCancelled } from "../files/cancelled.ts";
import { netSteps, type FileState, type PathHistory } from "../files/net-steps.ts";
import type { FileStep } from "../files/file-step.ts";
import { fileChange, maxChangeBytes, type ChangeSide } from "../files/file-change.ts";
import { sha256 } from "../files/hash.ts";
import { requireEditable } from "../files/text-target.ts";
import type { CheckedPath } from "../paths/checked-path.ts";
import { applyHunks } from "./apply-hunks.ts";
import { PatchError } from "./patch-error.ts";
import type { PatchSection } from "./patch-types.ts";

/** A path of a patch, from the disk to the end of the patch. */
export interface PatchedPath extends PathHistory {
  /** As the patch names it. */
  readonly given: string;
  /** Where the file that is now here came from. */
  renamedFrom?: PatchedPath | undefined;
}

/** Of a header line that had no effect. */
const maxShownCharacters = 80;

export interface PatchPlan {
  readonly steps: readonly FileStep[];
  readonly diagnostics: readonly string[];
  /** Paths of the patch whose file is another one at its end, in the order of the patch. */
  readonly changed: readonly PatchedPath[];
}

/**
 * Resolves every hunk of a patch in memory, section by section, so that nothing is written unless all of it fits.
 *
 * A patch may have tens of thousands of sections: others get their turn between them, and a cancelled call ends.
 *
 * @param pathOf what is known of a path that the patch names
 */
export async function planPatch(sections: readonly PatchSection[], pathOf: (given: string) => PatchedPath, signal: AbortSignal): Promise<PatchPlan> {
  const diagnostics: string[] = [];
  const touched = new Set<PatchedPath>();
  for (const section of sections) {
    await nextTurn();
    throwIfCancelled(signal);
    const [from, to] = [pathOf(section.from), pathOf(section.to)];
    touched.add(from).add(to);
    if (section.ignored.length > 0) diagnostics.push(`${to.path.shown}: ignored ${section.ignored.map((line) => `"${line.slice(0, maxShownCharacters)}"`).join(", ")}`);
    diagnostics.push(...applySection(section, from, to));
  }
  const steps = netSteps([...touched]);
  if (steps === undefined) throw new PatchError("missing_file", "A renamed file is over 1 MiB and its old name is used again, which a patch cannot do. Nothing was changed; use rename_file.");
  return { steps, diagnostics, changed: [...touched].filter(({ initial, final }) => initial?.hash !== final?.hash) };
}

function applySection(section: PatchSection, from: PatchedPath, to: PatchedPath): readonly string[] {
  const { kind, hunks } = section;
  const shown = to.path.shown;
  if (kind === "add") {
    if (to.final !== null) throw new PatchError("existing_file", `${shown} exists already, so it cannot be added. Patch it with "--- a/${section.to}", or delete it first. Nothing was changed.`);
    const { text, diagnostics } = applyHunks("", hunks, shown);
    settle(to, text, undefined);
    return diagnostics;
  }
  const state = from.final;
  if (state === null) throw new PatchError("missing_file", `${from.path.shown} does not exist, so it cannot be patched. Use glob to find the file, or /dev/null as the old path to add it. Nothing was changed.`);
  if (kind === "rename" && to !== from && to.final !== null) throw new PatchError("existing_file", `${shown} exists already, and a rename never overwrites. Nothing was changed.`);
  const patched = hunks.length === 0 && kind !== "delete" ? undefined : applyHunks(textOf(from, state), hunks, from.path.shown);
  if (kind === "delete") {
    if (patched?.text !== "") throw new PatchError("context_not_found", `The patch deletes ${shown} but does not remove all its lines. Read it again, or use delete_file. Nothing was changed.`);
    from.final = null;
    from.renamedFrom = undefined;
    return patched.diagnostics;
  }
  if (kind === "rename") {
    from.final = null;
    to.final = state;
    to.renamedFrom = from.renamedFrom ?? from;
    from.renamedFrom = undefined;
  }
  if (patched) settle(to, patched.text, state.permissions);
  return patched?.diagnostics ?? [];
}

function settle(path: PatchedPath, text: string, permissions: number | undefined): void {
  const bytes = Buffer.from(text);
  if (bytes.length > maxChangeBytes) throw new PatchError("context_not_found", `${path.path.shown} would grow over 1 MiB, the most a patched file may have. Nothing was changed.`);
  path.final = { hash: sha256(bytes), bytes, permissions };
}

function textOf({ path }: PatchedPath, state: FileState): string {
  return requireEditable(state.bytes, path.shown).toString("utf8");
}

/** One change a file: a rename and its two paths are one. */
export function patchChanges(changed: readonly PatchedPath[], callId: string, outcomeOf: (path: CheckedPath) => { readonly permissions: number; readonly madeDirectories: readonly string[] } | undefined): readonly FileChange[] {
  const renames = new Map(changed.flatMap((path) => (isRename(path) && path.renamedFrom ? [[path.renamedFrom, path] as const] : [])));
  const own = changed.filter((path) => !renames.has(path));
  return own.map((entry, index) => {
    const from = isRename(entry) ? entry.renamedFrom : undefined;
    const outcome = outcomeOf(entry.path);
    return fileChange({
      changeId: own.length === 1 ? callId : `${callId}#${index + 1}`,
      path: entry.given,
      real: entry.path,
      ...(from && { from: { path: from.given, real: from.path } }),
      before: side((from ?? entry).initial),
      after: side(entry.final),
      ...(outcome && { permissions: outcome.permissions, madeDirectories: outcome.madeDirectories }),
    });
  });
}

/** The file of another path is here, and nothing is left of what was here, or of the file's old path. */
function isRename({ initial, final, renamedFrom }: PatchedPath): boolean {
  return renamedFrom !== undefined && initial === null && final !== null && renamedFrom.initial !== null && renamedFrom.final === null;
}

function side(state: FileState | null): ChangeSide | null {
  if (state === null) return null;
  return { hash: state.hash, content: state.bytes };
}
