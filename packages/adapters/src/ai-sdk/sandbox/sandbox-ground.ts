import { basename, dirname, join } from "node:path/posix";
import { resultText } from "@fencepost/contract";
import type { Access, SandboxPolicy } from "@fencepost/sandbox";
import { resolvePath, type CheckedPath, type FileStat, type SessionContext } from "@fencepost/tools";

/** What every operation of one sandbox stands on. */
export interface SandboxGround {
  readonly session: SessionContext;
  readonly policy: SandboxPolicy;
}

/** What is refused, or cannot be done: the SDK's tools see it as their own failure. */
export class SandboxRefusal extends Error {
  override readonly name = "SandboxRefusal";
}

/** A path that the fence lets through. */
export async function checkedPath({ session, policy }: SandboxGround, path: string, access: Access): Promise<CheckedPath> {
  const checked = await resolvePath(path, access, "mayCreate", session, policy);
  if ("refused" in checked) throw new SandboxRefusal(resultText(checked.refused));
  return checked;
}

/** As `checkedPath` for reading, null where nothing is there. */
export async function existingPath(ground: SandboxGround, path: string): Promise<{ readonly path: CheckedPath; readonly stat: FileStat } | null> {
  const checked = await checkedPath(ground, path, "read");
  const stat = await ground.session.fileSystem.lstat(checked.real).catch(() => undefined);
  return stat ? { path: checked, stat } : null;
}

/** Works on a path through its parent, which is held: whoever swaps a directory on the way redirects nothing. */
export async function throughHeldParent<T>({ session }: SandboxGround, { real }: CheckedPath, work: (target: string) => Promise<T>): Promise<T> {
  const held = await session.fileSystem.holdDirectory(dirname(real));
  try {
    return await work(join(held.path, basename(real)));
  } finally {
    await held.close();
  }
}
