import { mkdtempSync, mkdirSync, realpathSync, rmSync } from "node:fs";
import { homedir, userInfo } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";

export interface RealWorkspace {
  readonly home: string;
  readonly path: string;
}

/** A home with a workspace in it, outside every temp root, for the tests of one file. `$HOME` points to it meanwhile. */
export function realWorkspace(): RealWorkspace {
  const place = { home: "", path: "" };
  const before = process.env["HOME"];
  beforeAll(() => {
    const base = userInfo().homedir || homedir();
    place.home = realpathSync(mkdtempSync(join(base, ".cache-fencepost-adapters-")));
    place.path = join(place.home, "project");
    mkdirSync(place.path);
    process.env["HOME"] = place.home;
  });
  afterAll(() => {
    process.env["HOME"] = before;
    rmSync(place.home, { recursive: true, force: true });
  });
  return place;
}
