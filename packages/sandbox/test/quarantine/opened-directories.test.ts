import { chmodSync, mkdirSync, readdirSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { OpenedDirectories } from "../../src/quarantine/opened-directories.ts";
import { makeWorld, type World } from "../bubblewrap/world.ts";

let world: World;
beforeEach(() => (world = makeWorld()));
afterEach(() => world.remove());

const modeOf = (path: string): number => statSync(path).mode & 0o777;

describe.runIf(process.platform === "linux")("directories that a command has closed", () => {
  it("[P50] are opened with all they hold, and closed again but for what has been moved away", () => {
    const outer = join(world.workspace, "a");
    const inner = join(outer, "b");
    const other = join(world.workspace, "c");
    for (const directory of [inner, other]) mkdirSync(directory, { recursive: true });
    const file = world.file("a/b/f");
    chmodSync(file, 0);
    for (const directory of [inner, outer, other]) chmodSync(directory, 0);
    const opened = new OpenedDirectories();
    expect(opened.openTree(outer)).toBe(true);
    expect(opened.open(other)).toBe(true);
    expect([outer, inner, file, other].map(modeOf)).toEqual([0o700, 0o700, 0o600, 0o700]);
    opened.restore([inner]);
    expect([other, outer].map(modeOf)).toEqual([0, 0]);
    chmodSync(outer, 0o700);
    expect([inner, file].map(modeOf)).toEqual([0o700, 0o600]);
  });

  it("[P50] are not looked for behind a link that stands in for a parent by now", () => {
    const closed = join(world.outside, "closed");
    mkdirSync(join(closed, "deeper"), { recursive: true });
    chmodSync(closed, 0o500);
    symlinkSync(world.outside, join(world.workspace, "link"));
    const opened = new OpenedDirectories();
    expect(opened.openTree(join(world.workspace, "link/closed"))).toBe(false);
    expect(modeOf(closed)).toBe(0o500);
    opened.restore();
  });

  it("[P50] more of them than there are descriptors can be open at once", () => {
    const paths = Array.from({ length: 300 }, (_, index) => join(world.workspace, String(index)));
    for (const path of paths) mkdirSync(path, { mode: 0 });
    const before = readdirSync("/proc/self/fd").length;
    const opened = new OpenedDirectories();
    for (const path of paths) expect(opened.open(path)).toBe(true);
    expect(readdirSync("/proc/self/fd").length - before).toBeLessThan(50);
    opened.restore();
    expect(new Set(paths.map(modeOf))).toEqual(new Set([0]));
  });
});
