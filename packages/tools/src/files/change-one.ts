import type { FileChange } from "@fencepost/contract";
import type { CheckedPath } from "../paths/checked-path.ts";
import { carryOut } from "./carry-out.ts";
import type { StepOutcome } from "./file-step.ts";
import { fileChange } from "./file-change.ts";
import type { FileWork } from "./file-work.ts";
import { sha256 } from "./hash.ts";
import type { TextTarget } from "./text-target.ts";

export interface OneChange {
  readonly changeId: string;
  /** As the model gave it. */
  readonly given: string;
  readonly path: CheckedPath;
  readonly before: TextTarget | null;
  readonly after: Buffer;
  readonly signal: AbortSignal;
}

/** Writes one file, remembers what this session now knows of it, and says what changed. The caller holds its lock. */
export async function changeOne(work: FileWork, { changeId, given, path, before, after, signal }: OneChange): Promise<{ readonly change: FileChange; readonly outcome: StepOutcome }> {
  const [outcome] = await carryOut(work, [{ kind: "write", path, before: before?.hash ?? null, after }], signal);
  if (outcome === undefined) throw new Error("one step has one outcome");
  const hash = sha256(after);
  work.observations.record(path.real, hash);
  const change = fileChange({
    changeId,
    path: given,
    real: path,
    before: before && { hash: before.hash, content: before.bytes },
    after: { hash, content: after },
    permissions: outcome.permissions,
    madeDirectories: outcome.madeDirectories,
  });
  return { change, outcome };
}
