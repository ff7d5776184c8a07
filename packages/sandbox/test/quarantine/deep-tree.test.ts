import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { dropQuarantined, listQuarantine } from "../../src/index.ts";
import { toBytes } from "../../src/backend/byte-path.ts";
import { DirectoryHandle } from "../../src/quarantine/directory-handle.ts";
import { pruneQuarantine } from "../../src/quarantine/quarantine-list.ts";
import { QuarantineCall } from "../../src/quarantine/quarantine-call.ts";
import { makeWorld, type World } from "../bubblewrap/world.ts";

const levels = 1500;

let world: World;
beforeEach(() => (world = makeWorld()));
afterEach(() => world.remove());

/** Longer than any path may be, and deeper than a stack or the descriptors of a process go. */
function quarantineDeepTree(): void {
  mkdirSync(join(world.workspace, ".vscode"));
  let handle = DirectoryHandle.open(toBytes(join(world.workspace, ".vscode")));
  for (let level = 0; level < levels; level += 1) {
    const name = "d".repeat(200);
    handle.makeDirectory(name, 0o700);
    const child = handle.child(name);
    handle.close();
    handle = child;
  }
  handle.close();
  const parent = DirectoryHandle.open(toBytes(world.workspace));
  new QuarantineCall(world.environment.stateHome, "session", "call", toBytes(world.workspace)).take(parent, ".vscode", toBytes(join(world.workspace, ".vscode")));
  parent.close();
}

describe.runIf(process.platform === "linux")("a tree deeper than paths are long, in quarantine", () => {
  it("[P51] is dropped like anything else", () => {
    quarantineDeepTree();
    const [entry] = listQuarantine(world.environment.stateHome);
    expect(dropQuarantined(world.environment.stateHome, entry?.id ?? "")).toMatchObject({ done: true });
    expect(listQuarantine(world.environment.stateHome)).toEqual([]);
  });

  it("[P51] is gone when its time is over", () => {
    quarantineDeepTree();
    pruneQuarantine(world.environment.stateHome, Date.now() + 31 * 24 * 60 * 60 * 1000);
    expect(listQuarantine(world.environment.stateHome)).toEqual([]);
  });
});
