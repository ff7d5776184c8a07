import { spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { linkSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ownProcess } from "@fencepost/sandbox";
import { afterEach, beforeEach, expect, it } from "vitest";
import { asideName, isAsideName } from "../../src/files/aside-name.ts";
import { createLocalFileWork } from "../../src/files/local/local-file-work.ts";
import { createLockDirectory, type LockOwner } from "../../src/files/local/lock-directory.ts";
import { temporaryName } from "../../src/files/temporary-name.ts";
import { createWriteLocks, withLocks } from "../../src/files/write-locks.ts";
import { bundleProcess } from "./bundle-process.ts";
import { makeFilePlace, openFileSession, type FilePlace } from "./file-session.ts";

const deep = process.env["FENCEPOST_DEEP"] === "1";

let place: FilePlace;

beforeEach(() => {
  place = makeFilePlace();
});

afterEach(() => place.remove());

/** No such process can be: pids are smaller. */
const dead = (key: string): LockOwner => ({ ...ownProcess(), pid: 2 ** 31 - 2, key });

it("two hard links of one file are written one after the other", async () => {
  linkSync(place.put("a.txt", "old\n"), place.at("b.txt"));
  const order: string[] = [];
  const observed = (name: string): ReturnType<typeof openFileSession> => {
    const { fileSystem } = openFileSession(place).session;
    return openFileSession(place, {
      replace: {
        fileSystem: {
          ...fileSystem,
          open: (path, mode, permissions) => {
            if (mode === "create") order.push(`${name} begins`);
            return fileSystem.open(path, mode, permissions);
          },
          rename: async (from, to) => {
            await new Promise((resolve) => setTimeout(resolve, 50));
            await fileSystem.rename(from, to);
            order.push(`${name} ends`);
          },
        },
      },
    });
  };
  const edits = ["a", "b"].map(async (name) => {
    const session = observed(name);
    await session.call("read", { path: `${name}.txt` });
    return session.text("edit", { filePath: `${name}.txt`, oldString: "old", newString: `by ${name}` });
  });
  const texts = await Promise.all(edits);
  expect(texts.every((text) => text.startsWith("Edited"))).toBe(true);
  expect([place.text("a.txt"), place.text("b.txt")]).toEqual(["by a\n", "by b\n"]);
  const [first = "", , third = ""] = order.map((line) => line.slice(0, 1));
  expect(order).toEqual([`${first} begins`, `${first} ends`, `${third} begins`, `${third} ends`]);
});

it("a file that turns out to be another one while its lock was waited for is locked again as what it is", async () => {
  const session = openFileSession(place);
  place.put("f.txt", "one\n");
  await session.call("read", { path: "f.txt" });
  const { fileSystem, writeLocks } = session.session;
  const keys: string[] = [];
  const spying = openFileSession(place, {
    observations: session.session.observations,
    replace: {
      fileSystem,
      writeLocks: {
        withLock: async (key, work, signal) => {
          keys.push(key);
          // Somebody saves the file by a rename, with the same content, just before the first lock of the file itself.
          if (keys.length === 2) {
            writeFileSync(place.at("g.txt"), "one\n");
            await fileSystem.rename(place.at("g.txt"), place.at("f.txt"));
          }
          return writeLocks.withLock(key, work, signal);
        },
      },
    },
  });
  expect(await spying.text("edit", { filePath: "f.txt", oldString: "one", newString: "two" })).toBe("Edited f.txt:1 (+1 -1)");
  expect(keys.length).toBe(3);
  expect(keys[0]).toBe(place.at("f.txt"));
  expect(new Set(keys).size).toBe(3);
});

it("several locks are always taken in one order, so that two calls cannot wait for each other", async () => {
  const { writeLocks } = createLocalFileWork(join(place.home, ".fencepost"));
  const done: string[] = [];
  const turn = async (name: string, keys: readonly string[]): Promise<void> => withLocks(writeLocks, keys, async () => void done.push(name));
  await Promise.all(Array.from({ length: 10 }, (_, index) => turn(`${index}`, index % 2 === 0 ? ["/a", "/b", "/c"] : ["/c", "/b", "/a"])));
  expect(done.toSorted()).toEqual(Array.from({ length: 10 }, (_, index) => `${index}`));
});

it("a call that waits for another process can be cancelled, and says who holds the file", async () => {
  const directory = join(place.home, "locks");
  const [one, other] = [createLockDirectory(directory), createLockDirectory(directory, { waitMs: 20 })];
  const release = await one.acquire("/f");
  await expect(other.acquire("/f")).rejects.toMatchObject({ reason: "busy", message: expect.stringContaining(`pid ${process.pid}`) });
  const controller = new AbortController();
  const waiting = createLockDirectory(directory).acquire("/f", controller.signal);
  controller.abort();
  await expect(waiting).rejects.toMatchObject({ reason: "cancelled" });
  release();
  (await other.acquire("/f"))();
  expect(readdirSync(directory)).toEqual([]);
});

it("[T11] a call that waits for another of this process is cancelled at once, and lets nobody past the one before", async () => {
  const locks = createWriteLocks();
  const order: string[] = [];
  const gate = new EventEmitter();
  const first = locks.withLock("/f", () => once(gate, "open").then(() => void order.push("first")));
  const controller = new AbortController();
  const second = locks.withLock("/f", () => Promise.resolve(order.push("second")), controller.signal);
  const third = locks.withLock("/f", () => Promise.resolve(order.push("third")));
  controller.abort();
  await expect(second).rejects.toMatchObject({ reason: "cancelled" });
  const fourth = locks.withLock("/f", () => Promise.resolve(order.push("fourth")));
  await new Promise((resolve) => setImmediate(resolve));
  expect(order).toEqual([]);
  gate.emit("open");
  await Promise.all([first, third, fourth]);
  expect(order).toEqual(["first", "third", "fourth"]);
});

it("[T49] who dies while cleaning up after the dead is cleaned up after too", async () => {
  const state = join(place.home, ".fencepost");
  const locks = join(state, "locks");
  mkdirSync(locks, { recursive: true });
  const owner = dead(place.at("f.txt"));
  // The lock was put aside by a process that died before it removed the first one's temporary file.
  const aside = `${"0".repeat(64)}.${owner.pid}-${owner.started}`;
  const mark = asideMark();
  writeFileSync(join(locks, `${aside}-${mark}-00000000.stale`), JSON.stringify(owner));
  writeFileSync(join(locks, `${aside}-${mark}-00000001.new`), "");
  place.put(temporaryName(owner), "half");
  place.put(temporaryName({ ...owner, pid: process.pid }), "of somebody else");
  await createLocalFileWork(state).recover();
  expect(readdirSync(locks)).toEqual([]);
  expect(readdirSync(place.workspace).length).toBe(1);
});

it("what is put aside by a live process is left alone", async () => {
  const state = join(place.home, ".fencepost");
  const locks = join(state, "locks");
  mkdirSync(locks, { recursive: true });
  const { pid, started } = ownProcess();
  const name = `${"0".repeat(64)}.${pid}-${started}-${asideMark()}-00000000.new`;
  expect(isAsideName(name)).toBe(true);
  writeFileSync(join(locks, name), "");
  await createLocalFileWork(state).recover();
  expect(readdirSync(locks)).toEqual([name]);
});

/** As this process marks its place in such names: read off one that it makes. */
function asideMark(): string {
  return /-([0-9a-f]{8})-[0-9a-f]{8}\.new$/.exec(asideName("f", "new"))?.[1] ?? "";
}

it("several processes that find a dead owner's lock at once never hold it together", async () => {
  const directory = mkdtempSync(join(tmpdir(), "fencepost-locks-"));
  try {
    const script = await bundleProcess("lock-process", directory);
    const holders = Array.from({ length: 4 }, () => spawn(process.execPath, [script, directory, deep ? "5000" : "300"], { stdio: ["ignore", "pipe", "inherit"] }));
    const counts = await Promise.all(holders.map(async (holder) => ((await once(holder.stdout, "data")) as readonly unknown[]).join("").trim()));
    expect(counts).toEqual(["0", "0", "0", "0"]);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}, deep ? 600_000 : 60_000);
