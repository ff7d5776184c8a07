import { join } from "node:path/posix";
import { describe, expect, it } from "vitest";
import type { FileSystem } from "../files/file-system.ts";
import { readAll, withFile, writeAll } from "../files/read-all.ts";

/** A file system under test and an empty directory on it, canonical. */
export interface FileSystemFixture {
  readonly fileSystem: FileSystem;
  readonly root: string;
  /** Makes a symlink: the tools never do, so the interface cannot. Absent where the system has none. */
  readonly symlink?: (target: string, path: string) => Promise<void>;
  remove(): Promise<void>;
}

/** The contract of a `FileSystem`, for vitest. `make` is called once a test. */
export function testFileSystem(name: string, make: () => Promise<FileSystemFixture>): void {
  const on = async (work: (fileSystem: FileSystem, at: (path: string) => string, fixture: FileSystemFixture) => Promise<void>): Promise<void> => {
    const fixture = await make();
    try {
      await work(fixture.fileSystem, (path) => join(fixture.root, path), fixture);
    } finally {
      await fixture.remove();
    }
  };

  describe(`the file system ${name}`, () => {
    it("creates a file exclusively, and reads back what was written", () =>
      on(async (fileSystem, at) => {
        await put(fileSystem, at("a"), "hello");
        expect(await get(fileSystem, at("a"))).toBe("hello");
        await expect(fileSystem.open(at("a"), "create")).rejects.toMatchObject({ name: "FileSystemError", code: "EEXIST" });
        expect(await fileSystem.lstat(at("a"))).toMatchObject({ kind: "file", size: 5, links: 1 });
      }));

    it("names what is missing and what is in the way by errno codes", () =>
      on(async (fileSystem, at) => {
        await put(fileSystem, at("file"), "x");
        await fileSystem.makeDirectory(at("dir"));
        await put(fileSystem, at("dir/inner"), "x");
        const attempts: readonly (readonly [string, Promise<unknown>])[] = [
          ["ENOENT", fileSystem.lstat(at("none"))],
          ["ENOENT", fileSystem.open(at("none"), "read")],
          ["ENOENT", fileSystem.open(at("none/x"), "create")],
          ["ENOTDIR", fileSystem.lstat(at("file/x"))],
          ["ENOTDIR", fileSystem.readDirectory(at("file"))],
          ["EEXIST", fileSystem.makeDirectory(at("dir"))],
          ["EEXIST", fileSystem.link(at("file"), at("dir"))],
          ["ENOTEMPTY", fileSystem.removeDirectory(at("dir"))],
          ["EISDIR", fileSystem.rename(at("file"), at("dir"))],
          ["EISDIR", fileSystem.unlink(at("dir"))],
          ["ENOENT", fileSystem.holdDirectory(at("none"))],
          ["ENAMETOOLONG", fileSystem.open(at("n".repeat(256)), "create")],
        ];
        const codes = await Promise.all(attempts.map(([, attempt]) => attempt.then(() => "none", (error: unknown) => (error instanceof Error && "code" in error ? error.code : error))));
        expect(codes).toEqual(attempts.map(([code]) => code));
      }));

    it("renames over a file, and a link never does", () =>
      on(async (fileSystem, at) => {
        await put(fileSystem, at("a"), "new");
        await put(fileSystem, at("b"), "old");
        await expect(fileSystem.link(at("a"), at("b"))).rejects.toMatchObject({ code: "EEXIST" });
        await fileSystem.rename(at("a"), at("b"));
        expect(await get(fileSystem, at("b"))).toBe("new");
        await expect(fileSystem.lstat(at("a"))).rejects.toMatchObject({ code: "ENOENT" });
      }));

    it("gives a file several names with one content", () =>
      on(async (fileSystem, at) => {
        await put(fileSystem, at("a"), "x");
        await fileSystem.link(at("a"), at("b"));
        const [first, second] = [await fileSystem.lstat(at("a")), await fileSystem.lstat(at("b"))];
        expect([first.inode, first.links, second.links]).toEqual([second.inode, 2, 2]);
        await fileSystem.unlink(at("a"));
        expect(await get(fileSystem, at("b"))).toBe("x");
        expect((await fileSystem.lstat(at("b"))).links).toBe(1);
      }));

    it("writes at a position, cuts, and keeps what an open file is when its name goes elsewhere", () =>
      on(async (fileSystem, at) => {
        await put(fileSystem, at("a"), "abcdef");
        await withFile(fileSystem, at("a"), "update", async (file) => {
          await fileSystem.rename(at("a"), at("b"));
          expect(await file.write(Buffer.from("XY"), 2)).toBe(2);
          await file.truncate(5);
          await file.sync();
          expect((await file.stat()).size).toBe(5);
        });
        expect(await get(fileSystem, at("b"))).toBe("abXYe");
      }));

    it("reads on where it stopped, and 0 bytes at the end", () =>
      on(async (fileSystem, at) => {
        await put(fileSystem, at("a"), "abcd");
        await withFile(fileSystem, at("a"), "read", async (file) => {
          const buffer = Buffer.alloc(3);
          expect([await file.read(buffer, null), await file.read(buffer, null), await file.read(buffer, null)]).toEqual([3, 1, 0]);
          expect(await file.read(buffer, 1)).toBe(3);
          expect(buffer.toString()).toBe("bcd");
          await expect(file.write(Buffer.from("x"), 0)).rejects.toMatchObject({ code: "EBADF" });
        });
      }));

    it("keeps permissions as they are set", () =>
      on(async (fileSystem, at) => {
        await put(fileSystem, at("a"), "x");
        await withFile(fileSystem, at("a"), "update", (file) => file.changeMode(0o640));
        expect((await fileSystem.lstat(at("a"))).permissions).toBe(0o640);
      }));

    it("lists entries with their kinds, and makes and removes directories", () =>
      on(async (fileSystem, at) => {
        await fileSystem.makeDirectory(at("d"));
        await put(fileSystem, at("d/f"), "x");
        await fileSystem.makeDirectory(at("d/e"));
        const entries = await fileSystem.readDirectory(at("d"));
        expect(entries.map(({ name: entry, kind }) => `${entry} ${kind}`).toSorted()).toEqual(["e directory", "f file"]);
        await fileSystem.removeDirectory(at("d/e"));
        await fileSystem.syncDirectory(at("d"));
        expect((await fileSystem.readDirectory(at("d"))).length).toBe(1);
      }));

    it("a held directory is the directory, and only a canonical path can be held", () =>
      on(async (fileSystem, at, { symlink }) => {
        await fileSystem.makeDirectory(at("d"));
        const held = await fileSystem.holdDirectory(at("d"));
        await put(fileSystem, join(held.path, "f"), "x");
        await held.close();
        expect(await get(fileSystem, at("d/f"))).toBe("x");
        if (symlink === undefined) return;
        await symlink(at("d"), at("l"));
        await expect(fileSystem.holdDirectory(at("l"))).rejects.toMatchObject({ code: "ELOOP" });
      }));

    it("follows symlinks only where it says so", () =>
      on(async (fileSystem, at, { symlink }) => {
        if (symlink === undefined) return;
        await put(fileSystem, at("f"), "x");
        await symlink("f", at("l"));
        await symlink("loop", at("loop"));
        expect((await fileSystem.lstat(at("l"))).kind).toBe("symlink");
        expect((await fileSystem.stat(at("l"))).kind).toBe("file");
        expect(await fileSystem.readlink(at("l"))).toBe("f");
        expect(await fileSystem.realpath(at("l"))).toBe(at("f"));
        await expect(fileSystem.open(at("l"), "read")).rejects.toMatchObject({ code: "ELOOP" });
        await expect(fileSystem.open(at("l"), "update")).rejects.toMatchObject({ code: "ELOOP" });
        await expect(fileSystem.realpath(at("loop"))).rejects.toMatchObject({ code: "ELOOP" });
      }));
  });
}

async function put(fileSystem: FileSystem, path: string, text: string): Promise<void> {
  const file = await fileSystem.open(path, "create", 0o644);
  try {
    await writeAll(file, Buffer.from(text), path);
  } finally {
    await file.close();
  }
}

async function get(fileSystem: FileSystem, path: string): Promise<string> {
  const whole = await withFile(fileSystem, path, "read", (file) => readAll(file, 1024 * 1024));
  return whole?.bytes.toString() ?? "";
}
