import { basename, dirname } from "node:path/posix";
import { isUnder, type SandboxPolicy } from "@fencepost/sandbox";
import type { FileSystem } from "../files/file-system.ts";
import { spillRoot } from "../spill/spill-root.ts";
import { unusablePath, type PathRefusal } from "./path-refusal.ts";
import { escapeNonAscii, showPath } from "./show-path.ts";

export interface MissingPlace {
  readonly lexical: string;
  readonly shown: string;
  /** What is named may be a directory as well. */
  readonly takesDirectories: boolean;
  readonly policy: SandboxPolicy;
  readonly session: { readonly workingDirectory: string };
}

/** Nothing is there. Where its folder holds the same name in another Unicode form or another case, that is said. */
export async function missingPath(place: MissingPlace, fileSystem: FileSystem): Promise<PathRefusal> {
  const { shown, lexical, takesDirectories, session, policy } = place;
  if (isUnder(lexical, spillRoot(policy.environment.stateHome))) return unusablePath(`${shown} has expired: saved outputs are kept for a limited time. Run the command or the search again.`, "missing");
  const alike = await namesAlike(place, fileSystem);
  const parent = showPath(dirname(lexical), session.workingDirectory);
  const [only] = alike;
  if (only === undefined || alike.length > 1) {
    const way = takesDirectories ? `Use list on ${showPath(await nearestAbove(lexical, fileSystem), session.workingDirectory)}, or glob, to find it.` : "Use glob to find the file.";
    return unusablePath(`${shown} does not exist. ${way}`, "missing");
  }
  if (only.normalize() === basename(lexical).normalize()) {
    const text = `${shown} does not exist, but ${parent} holds the same name in another Unicode form. Send that name, in JSON ${escapeNonAscii(only)}.`;
    return unusablePath(text, "missing");
  }
  return unusablePath(`${shown} does not exist. Did you mean ${showPath(join(dirname(lexical), only), session.workingDirectory)}?`, "missing");
}

/** The innermost directory above a path that is there. */
async function nearestAbove(path: string, fileSystem: FileSystem): Promise<string> {
  for (let at = dirname(path); at !== "/"; at = dirname(at)) {
    const isThere = await fileSystem.lstat(at).then(
      () => true,
      () => false,
    );
    if (isThere) return at;
  }
  return "/";
}

async function namesAlike({ lexical, policy }: MissingPlace, fileSystem: FileSystem): Promise<readonly string[]> {
  const wanted = basename(lexical);
  try {
    const parent = await fileSystem.realpath(dirname(lexical));
    if (!policy.check(parent, "read", "file-tool").allowed) return [];
    const names = (await fileSystem.readDirectory(parent)).map((entry) => entry.name);
    const sameForm = names.filter((name) => name.normalize() === wanted.normalize());
    return sameForm.length > 0 ? sameForm : names.filter((name) => fold(name) === fold(wanted));
  } catch {
    return [];
  }
}

function join(parent: string, name: string): string {
  return parent === "/" ? `/${name}` : `${parent}/${name}`;
}

function fold(name: string): string {
  return name.normalize().toLowerCase();
}
