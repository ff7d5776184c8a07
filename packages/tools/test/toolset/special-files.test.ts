import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, unlinkSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { resultText, type ToolResult } from "@fencepost/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { builtinRegistry } from "../../src/builtin/builtin-registry.ts";
import { FileSystemError } from "../../src/files/file-system.ts";
import { makeTestPlace, type TestPlace } from "./test-place.ts";

let place: TestPlace;
let server: Server;

const at = (name: string): string => join(place.workspace, name);

beforeAll(async () => {
  place = await makeTestPlace();
  mkdirSync(at("dir"));
  execFileSync("/usr/bin/mkfifo", [at("fifo")]);
  server = createServer().listen(at("socket"));
  await new Promise((resolve) => server.once("listening", resolve));
  if (process.geteuid?.() === 0) execFileSync("/usr/bin/mknod", [at("device"), "c", "1", "3"]);
});

afterAll(async () => {
  server.close();
  await place.remove();
});

/** Every tool that takes a path, used on one. */
const uses: readonly (readonly [string, (path: string) => Record<string, unknown>])[] = [
  ["read", (path) => ({ path })],
  ["write", (path) => ({ path, content: "x" })],
  ["edit", (path) => ({ filePath: path, oldString: "a", newString: "b" })],
  ["edit", (path) => ({ filePath: path, oldString: "", newString: "b" })],
  ["list", (path) => ({ path })],
  ["grep", (path) => ({ pattern: "x", path })],
  ["glob", (path) => ({ pattern: "*", path })],
  ["rename_file", (path) => ({ from: path, to: "elsewhere" })],
  ["delete_file", (path) => ({ path })],
  ["apply_patch", (path) => ({ patch: `--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-a\n+b\n` })],
  ["bash", (path) => ({ command: "true", workdir: path })],
];

async function call(tool: string, input: Record<string, unknown>, session = place.session): Promise<ToolResult> {
  const registry = builtinRegistry();
  return registry.finalize({ tools: registry.ids }, session).call({ toolId: tool, input }, place.call());
}

describe.each(["fifo", "socket", ...(process.geteuid?.() === 0 ? ["device"] : []), "absent"])("[T47] %s", (name) => {
  it.each(uses)("is answered at once by %s, and stays as it is", async (tool, inputOf) => {
    const before = readdirSync(place.workspace);
    const isNew = name === "absent" && (tool === "write" || (tool === "edit" && inputOf("")["oldString"] === ""));
    const result = await call(tool, inputOf(name));
    if (isNew) unlinkSync(at(name));
    else expect([tool, result.status, resultText(result)]).toEqual([tool, expect.stringMatching(/^(failed|denied)$/), expect.stringMatching(/\. \S|not a directory/)]);
    expect(readdirSync(place.workspace)).toEqual(before);
  });
});

it.each(uses.filter(([tool]) => !["list", "grep", "glob", "bash"].includes(tool)))("[T47] a directory is answered at once by %s", async (tool, inputOf) => {
  const result = await call(tool, inputOf("dir"));
  expect([result.status, resultText(result)]).toEqual(["failed", expect.stringContaining("dir is a directory")]);
});

it.each(uses.filter(([tool]) => !["grep", "glob", "bash"].includes(tool)))("[T47] a directory that this user may not look into is answered at once by %s", async (tool, inputOf) => {
  const { fileSystem } = place.session;
  const refused = <T>(path: string, work: () => Promise<T>): Promise<T> => (path.startsWith(at("closed")) && path !== at("closed") ? Promise.reject(new FileSystemError("EACCES", path, "test")) : work());
  mkdirSync(at("closed"), { recursive: true });
  const closed = {
    ...fileSystem,
    lstat: (path: string) => refused(path, () => fileSystem.lstat(path)),
    realpath: (path: string) => refused(path, () => fileSystem.realpath(path)),
    holdDirectory: (path: string) => refused(`${path}/`, () => fileSystem.holdDirectory(path)),
  };
  const result = await call(tool, inputOf(tool === "list" ? "closed" : "closed/f.txt"), { ...place.session, fileSystem: closed });
  expect([result.status, resultText(result)]).toEqual(["failed", expect.stringMatching(/permission|does not let this user/)]);
});

it("[T47] a file that vanishes while a tool looks at it is answered", async () => {
  const { fileSystem } = place.session;
  for (const [tool, inputOf] of uses.filter(([id]) => ["read", "edit", "write", "delete_file", "apply_patch", "rename_file"].includes(id))) {
    writeFileSync(at("brief.txt"), "a\n");
    await call("read", { path: "brief.txt" });
    const vanishing = {
      ...fileSystem,
      holdDirectory: async (path: string) => {
        const held = await fileSystem.holdDirectory(path);
        if (readdirSync(place.workspace).includes("brief.txt")) unlinkSync(at("brief.txt"));
        return held;
      },
    };
    const result = await call(tool, inputOf("brief.txt"), { ...place.session, fileSystem: vanishing });
    expect([tool, ["failed", "succeeded"].includes(result.status)]).toEqual([tool, true]);
    if (readdirSync(place.workspace).includes("brief.txt")) unlinkSync(at("brief.txt"));
    if (readdirSync(place.workspace).includes("elsewhere")) unlinkSync(at("elsewhere"));
  }
});
