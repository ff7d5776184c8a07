import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { realPathOf } from "@fencepost/sandbox";

/** A home, a workspace and a place outside both, outside the temp roots: there the fence is real. */
export interface World {
  readonly base: string;
  readonly home: string;
  readonly workspace: string;
  readonly outside: string;
  /** The environment of the command under test. */
  readonly env: Readonly<Record<string, string>>;
  file(path: string, content?: string): string;
  remove(): void;
}

export function createWorld(name = "work space"): World {
  const base = mkdtempSync(join(placeOutsideTempRoots(), ".fencepost-test-"));
  const home = join(base, "home");
  const workspace = join(base, name);
  const outside = join(base, "outside");
  for (const directory of [home, workspace, outside]) mkdirSync(directory, { recursive: true });
  return {
    base,
    home,
    workspace,
    outside,
    env: { PATH: process.env["PATH"] ?? "", HOME: home, LANG: "C.UTF-8" },
    file(path, content = "") {
      const full = join(base, path);
      mkdirSync(dirname(full), { recursive: true });
      writeFileSync(full, content);
      return full;
    },
    remove: () => rmSync(base, { recursive: true, force: true }),
  };
}

function placeOutsideTempRoots(): string {
  const home = realPathOf(homedir());
  const inTemp = ["/tmp", tmpdir()].some((root) => `${home}/`.startsWith(`${realPathOf(root)}/`));
  return inTemp ? "/var/tmp" : home;
}
