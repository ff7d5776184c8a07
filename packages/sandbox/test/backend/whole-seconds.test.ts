import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync, type BigIntStats, type Stats } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { DirectoryCache } from "../../src/backend/directory-cache.ts";
import { isUntouched, KeptCopies } from "../../src/quarantine/kept-copies.ts";

// A file system that counts whole seconds.
vi.mock("node:fs", async (original) => {
  const real = await original<typeof import("node:fs")>();
  const lstatSync = (...args: Parameters<typeof real.lstatSync>): Stats | BigIntStats | undefined => {
    const stats = real.lstatSync(...args);
    if (stats !== undefined && "ctimeNs" in stats) return Object.assign(stats, { ctimeNs: stats.ctimeNs - (stats.ctimeNs % 1_000_000_000n) });
    return stats && Object.assign(stats, { ctimeMs: Math.floor(stats.ctimeMs / 1000) * 1000 });
  };
  return { ...real, lstatSync };
});

let place: string;
beforeEach(async () => {
  place = realpathSync(mkdtempSync(join(tmpdir(), "fencepost-seconds-")));
  mkdirSync(join(place, "d"));
  // Early in a second, so that two changes fall into the same one.
  await delay(1100 - (Date.now() % 1000));
});
afterEach(() => rmSync(place, { recursive: true, force: true }));

it("[P5] a name that comes within the second of a look is found by the next one", async () => {
  const cache = new DirectoryCache((name) => name.startsWith(".env"));
  const directory = cache.at(join(place, "d"));
  writeFileSync(join(place, "d", "ordinary"), "");
  // Longer than a finer stamp is distrusted.
  await delay(100);
  expect(directory.list()?.candidates).toEqual([]);
  writeFileSync(join(place, "d", ".env"), "");
  expect(directory.list()?.candidates).toEqual([{ path: join(place, "d", ".env"), kind: "file" }]);
});

it("[P5] a file that changes within the second of being copied does not count as untouched", async () => {
  const path = join(place, "d", ".env");
  writeFileSync(path, "one");
  await delay(100);
  const kept = new KeptCopies().take([path]);
  if ("limit" in kept || kept[0] === undefined) throw new Error("nothing was kept");
  writeFileSync(path, "two");
  expect(isUntouched(kept[0])).toBe(false);
});
