import { closeSync, constants, fstatSync, mkdtempSync, openSync, readdirSync, realpathSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Fifos } from "../../src/backend/fifos.ts";

let place: string;
beforeEach(() => (place = realpathSync(mkdtempSync(join(tmpdir(), "fencepost-fifos-test-")))));
afterEach(() => rmSync(place, { recursive: true, force: true }));

const openDescriptor = (path: string): number => openSync(path, constants.O_RDWR | constants.O_NONBLOCK);

it("each is another one, opened once, without a name by the time it is handed out; those that nobody took are closed", async () => {
  const discarded: number[] = [];
  const fifos = new Fifos({ open: openDescriptor, discard: (descriptor) => (discarded.push(descriptor), closeSync(descriptor)) });
  const taken = await Promise.all(Array.from({ length: 20 }, () => fifos.take(place)));
  expect(new Set(taken.map((descriptor) => fstatSync(descriptor).ino)).size).toBe(20);
  expect(taken.every((descriptor) => fstatSync(descriptor).isFIFO() && fstatSync(descriptor).nlink === 0)).toBe(true);
  fifos.close();
  await expect(fifos.take(place)).rejects.toThrow("closed");
  expect(discarded.some((descriptor) => taken.includes(descriptor))).toBe(false);
  for (const descriptor of taken) closeSync(descriptor);
  expect(readdirSync(place)).toEqual([]);
});

it("[P5] where shared memory cannot be written, names are made in the state home, in a directory that its owner cannot list", async () => {
  const seen: string[] = [];
  const modes: number[] = [];
  const open = (path: string): number => {
    seen.push(path);
    modes.push(statSync(dirname(path)).mode & 0o777);
    return openDescriptor(path);
  };
  const fifos = new Fifos({ open, discard: closeSync }, join(place, "no-shared-memory"));
  closeSync(await fifos.take(join(place, "state")));
  fifos.close();
  expect(seen.every((path) => path.startsWith(`${place}/state/sandbox/fencepost-fifos-`))).toBe(true);
  expect(new Set(modes)).toEqual(new Set([0o300]));
  expect(readdirSync(join(place, "state/sandbox"))).toEqual([]);
});

it("what cannot be opened leaves nothing behind, and is tried again", async () => {
  let failures = 1;
  const open = (path: string): number => {
    if (failures-- > 0) throw new Error("no room");
    return openDescriptor(path);
  };
  const fifos = new Fifos({ open, discard: closeSync }, join(place, "none"));
  await expect(fifos.take(place)).rejects.toThrow("no room");
  expect(readdirSync(join(place, "sandbox"))).toEqual([]);
  closeSync(await fifos.take(place));
  fifos.close();
});
