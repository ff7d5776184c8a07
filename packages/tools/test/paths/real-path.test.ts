import { linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createLocalFileSystem } from "../../src/files/local/local-file-system.ts";
import type { FileSystem } from "../../src/files/file-system.ts";
import { findRealPath } from "../../src/paths/real-path.ts";

let place: string;
beforeEach(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), "fencepost-real-")));
  mkdirSync(join(place, "ws"));
  mkdirSync(join(place, "other"));
  writeFileSync(join(place, "ws/.env"), "");
  linkSync(join(place, "ws/.env"), join(place, "other/ordinary"));
  symlinkSync("ws", join(place, "to-ws"));
  symlinkSync("ws/.env", join(place, "to-env"));
});
afterEach(() => rmSync(place, { recursive: true, force: true }));

const at = (path: string): string => join(place, path);

describe("the real path of a file with several names", () => {
  it("[D-56] is the name that was asked for, where the system gives another one", async () => {
    const local = createLocalFileSystem();
    const others: FileSystem = { ...local, realpath: async (path) => ((await local.realpath(path)) === at("ws/.env") ? at("other/ordinary") : local.realpath(path)) };
    for (const path of ["ws/.env", "to-ws/.env", "to-env"]) expect([path, await findRealPath(others, at(path))]).toEqual([path, { kind: "exists", real: at("ws/.env") }]);
  });

  it("[D-56] keeps the disk's own spelling of a name", async () => {
    const local = createLocalFileSystem();
    const folding: FileSystem = { ...local, realpath: async (path) => local.realpath(path.replace("/WS/.ENV", "/ws/.env")), lstat: (path) => local.lstat(path.replace("/WS/.ENV", "/ws/.env")) };
    expect(await findRealPath({ ...folding, realpath: async (path) => (path === at("WS") ? at("ws") : folding.realpath(path)) }, at("WS/.ENV"))).toEqual({ kind: "exists", real: at("ws/.env") });
  });

  it("[D-56] is what the system says of directories and where no link is in the way", async () => {
    const local = createLocalFileSystem();
    for (const [path, real] of [["to-ws", "ws"], ["ws", "ws"], ["other/ordinary", "other/ordinary"], ["to-env", "ws/.env"]] as const) expect(await findRealPath(local, at(path))).toEqual({ kind: "exists", real: at(real) });
  });
});
