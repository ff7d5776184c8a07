import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, rmdirSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import { DirectoryCache, type CachedDirectory } from "../../src/backend/directory-cache.ts";
import { SharedLook } from "../../src/backend/shared-look.ts";

const count = 2500;

/** On a busy machine, as many as the other thread has begun and not done may be left to the walk. */
const leftOver = 64;

let place: string;
let look: SharedLook;
let directories: readonly CachedDirectory[];

beforeEach(async () => {
  place = realpathSync(mkdtempSync(join(tmpdir(), "fencepost-look-")));
  look = new SharedLook();
  const cache = new DirectoryCache(() => false);
  for (let index = 0; index < count; index += 1) mkdirSync(join(place, String(index)));
  // Names that are no UTF-8 go to the other thread as bytes.
  mkdirSync(Buffer.from(`${place}/\xff`, "latin1"));
  directories = [...Array.from({ length: count }, (_, index) => cache.at(`${place}/${index}`)), cache.at(`${place}/\xff`)];
  // What has just changed is not trusted.
  await delay(50);
  for (const directory of directories) directory.list();
});
afterEach(() => {
  look.close();
  rmSync(place, { recursive: true, force: true });
});

const unchanged = (): readonly number[] => {
  const answer = look.unchanged(directories);
  return directories.flatMap((_, index) => (answer(index) ? [index] : []));
};

it("[P5] finds every directory that has changed, whichever thread looks at it", async () => {
  for (let turn = 0; turn < 5; turn += 1) {
    expect(unchanged().length).toBeGreaterThanOrEqual(count + 1 - leftOver);
    await delay(20);
  }
  writeFileSync(join(place, "0", ".env"), "");
  rmdirSync(join(place, "700"));
  renameSync(join(place, "1200"), join(place, "moved"));
  symlinkSync(join(place, "moved"), join(place, "1200"));
  rmdirSync(join(place, "2499"));
  writeFileSync(join(place, "2499"), "");
  writeFileSync(Buffer.from(`${place}/\xff/.env`, "latin1"), "");
  const changed = [0, 700, 1200, 2499, count];
  for (let turn = 0; turn < 5; turn += 1) {
    const found = unchanged();
    expect(found.length).toBeGreaterThanOrEqual(count + 1 - changed.length - leftOver);
    expect(found.filter((index) => changed.includes(index))).toEqual([]);
    await delay(20);
  }
});

it("[P5] a directory whose listing is to be read again is not among the unchanged", () => {
  writeFileSync(join(place, "5", "new"), "");
  // Within the time in which one change may hide behind another.
  directories[5]?.list();
  expect(directories[5]?.state).toBeUndefined();
  expect(unchanged().includes(5)).toBe(false);
});

it("few directories, or none that helps, are left to the walk", () => {
  expect(look.unchanged(directories.slice(0, 100))(0)).toBe(false);
  look.close();
  expect(unchanged()).toEqual([]);
});
