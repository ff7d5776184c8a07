import { mkdtemp, realpath, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLocalFileSystem } from "../../src/files/local/local-file-system.ts";
import { createMemoryFileSystem, testFileSystem } from "../../src/testing/index.ts";

testFileSystem("of this machine", async () => {
  const root = await realpath(await mkdtemp(join(tmpdir(), "fencepost-fs-")));
  return { fileSystem: createLocalFileSystem(), root, symlink, remove: () => rm(root, { recursive: true }) };
});

testFileSystem("in memory", async () => {
  const memory = createMemoryFileSystem();
  await memory.fileSystem.makeDirectory("/work");
  return {
    fileSystem: memory.fileSystem,
    root: "/work",
    symlink: async (target, path) => memory.symlink(target, path),
    remove: () => Promise.resolve(),
  };
});
