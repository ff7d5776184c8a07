import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { isUnder, realPathOf, resolveEnvironment } from "@fencepost/sandbox";

/** A throw-away place to work in, outside the temp roots: inside one everything could be written, and nothing be shown. */
export interface Scratch {
  /** A copy of the sample project with a small `.git`. Beside it lies a directory that the session may not write. */
  readonly workspace: string;
  remove(): void;
}

/** The directory beside the workspace. */
export const outsideName = "harbour-office";

/** The built command lies in `dist`, the sample beside it. */
const sample = fileURLToPath(new URL("../sample", import.meta.url));

export function createScratch(): Scratch {
  const base = mkdtempSync(join(placeForScratch(), "fencepost-demo-"));
  const remove = (): void => rmSync(base, { recursive: true, force: true });
  // Also when a second Ctrl-C ends the process at once.
  process.once("exit", remove);
  const workspace = join(base, "tide-table");
  cpSync(sample, workspace, { recursive: true });
  mkdirSync(join(base, outsideName));
  mkdirSync(join(workspace, ".git/hooks"), { recursive: true });
  writeFileSync(join(workspace, ".git/HEAD"), "ref: refs/heads/main\n");
  return { workspace, remove };
}

/** The user's cache, else home, else a shared directory: the first that can be written and is no temp root. */
function placeForScratch(): string {
  const home = process.env["HOME"] ?? homedir();
  const { tempRoots } = resolveEnvironment({ workspaceRoot: dirname(sample) });
  for (const place of [join(home, ".cache"), home, "/var/tmp"]) {
    const real = realPathOf(place);
    if (!tempRoots.some((root) => isUnder(real, root)) && canWrite(real)) return real;
  }
  throw new Error("no directory for the demo's scratch copy: the home directory and /var/tmp cannot be written");
}

function canWrite(directory: string): boolean {
  try {
    mkdirSync(directory, { recursive: true });
    rmSync(mkdtempSync(join(directory, ".fencepost-probe-")), { recursive: true });
    return true;
  } catch {
    return false;
  }
}
