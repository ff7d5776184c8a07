import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { createAiSdkSandbox, type AiSdkSandbox } from "@fencepost/adapters/ai-sdk";
import type { Experimental_SandboxSession } from "ai-7";
import { afterAll, beforeAll, expect, it } from "vitest";
import { realWorkspace } from "../doubles/real-workspace.ts";

const place = realWorkspace();
let sandbox: AiSdkSandbox;

beforeAll(async () => {
  sandbox = await createAiSdkSandbox({ workspace: place.path });
  mkdirSync(join(place.home, ".ssh"));
  writeFileSync(join(place.home, ".ssh/id_rsa"), "secret");
});

afterAll(() => sandbox.close());

it("is what the AI SDK 7 takes as a sandbox", () => {
  const taken: Experimental_SandboxSession = sandbox;
  expect(taken.description).toContain(place.path);
});

it("runs commands in the workspace, with their exit code and environment", async () => {
  expect(await sandbox.run({ command: 'echo out; echo err >&2; echo "$ANSWER"; pwd; exit 3', env: { ANSWER: "42" } })).toEqual({ exitCode: 3, stdout: `out\nerr\n42\n${place.path}\n`, stderr: "" });
  expect((await sandbox.run({ command: "kill -9 $$" })).exitCode).toBe(137);
});

it("[P5] [P7] the kernel refuses what the policy does, and says so", async () => {
  const outside = await sandbox.run({ command: `touch ${place.home}/outside` });
  expect(outside.exitCode).not.toBe(0);
  expect(outside.stderr).toContain("[sandbox: file access denied");
  expect((await sandbox.run({ command: `cat ${place.home}/.ssh/id_rsa` })).stdout).not.toContain("secret");
  await expect(sandbox.readTextFile({ path: join(place.home, ".ssh/id_rsa") })).rejects.toThrow("denied");
  await expect(sandbox.writeTextFile({ path: join(place.home, "outside"), content: "x" })).rejects.toThrow("denied");
  await expect(sandbox.writeTextFile({ path: ".git/hooks/pre-commit", content: "x" })).rejects.toThrow("protected");
  await expect(sandbox.writeTextFile({ path: ".env", content: "x" })).rejects.toThrow("denied");
  await expect(sandbox.run({ command: "true", workingDirectory: join(place.home, ".ssh") })).rejects.toThrow("denied");
  expect(existsSync(join(place.home, "outside"))).toBe(false);
});

it("writes and reads files: text, bytes, streams, ranges", async () => {
  await sandbox.writeTextFile({ path: "deep/er/a.txt", content: "one\ntwo\nthree" });
  expect(await sandbox.readTextFile({ path: "deep/er/a.txt" })).toBe("one\ntwo\nthree");
  expect(await sandbox.readTextFile({ path: "deep/er/a.txt", startLine: 2, endLine: 2 })).toBe("two\n");
  expect(await sandbox.readTextFile({ path: "deep/er/a.txt", startLine: 2, endLine: 99 })).toBe("two\nthree");
  const bytes = Uint8Array.from({ length: 300_000 }, (_, index) => index % 251);
  await sandbox.writeBinaryFile({ path: "bytes.bin", content: bytes });
  expect(Buffer.from((await sandbox.readBinaryFile({ path: "bytes.bin" })) ?? []).equals(Buffer.from(bytes))).toBe(true);
  await sandbox.writeFile({ path: "stream.txt", content: ReadableStream.from([Buffer.from("a"), Buffer.from("b")]) });
  const stream = await sandbox.readFile({ path: "stream.txt" });
  expect(stream && (await text(stream))).toBe("ab");
  for (const read of [sandbox.readFile, sandbox.readBinaryFile, sandbox.readTextFile]) expect(await read({ path: "missing" })).toBeNull();
  expect(readdirSync(join(place.path, "deep/er"))).toEqual(["a.txt"]);
});

it("[T46] overwrites with the file's own permissions, and through a link", async () => {
  writeFileSync(join(place.path, "script.sh"), "old");
  chmodSync(join(place.path, "script.sh"), 0o755);
  symlinkSync("script.sh", join(place.path, "link.sh"));
  await sandbox.writeTextFile({ path: "link.sh", content: "new" });
  expect(readFileSync(join(place.path, "script.sh"), "utf8")).toBe("new");
  expect(statSync(join(place.path, "script.sh")).mode & 0o777).toBe(0o755);
  await sandbox.writeTextFile({ path: "fresh.txt", content: "" });
  expect(statSync(join(place.path, "fresh.txt")).mode & 0o777).toBe(0o666 & ~process.umask());
});

it("looks, lists and deletes as the interface says", async () => {
  mkdirSync(join(place.path, "look"));
  writeFileSync(join(place.path, "look/file"), "12345");
  symlinkSync("file", join(place.path, "look/link"));
  expect(await sandbox.stat({ path: "look/link" })).toEqual({ type: "file", size: 5 });
  expect(await sandbox.stat({ path: "look" })).toMatchObject({ type: "directory" });
  expect(await sandbox.stat({ path: "look/none" })).toBeNull();
  expect((await sandbox.listDirectory({ path: "look" }))?.toSorted((a, b) => (a.name < b.name ? -1 : 1))).toEqual([
    { name: "file", type: "file" },
    { name: "link", type: "symlink" },
  ]);
  expect(await sandbox.listDirectory({ path: "look/none" })).toBeNull();
  await expect(sandbox.listDirectory({ path: "look/file" })).rejects.toThrow("not a directory");
  expect(await sandbox.deleteFile({ path: "look/link" })).toBe(true);
  expect(existsSync(join(place.path, "look/file"))).toBe(true);
  expect(await sandbox.deleteFile({ path: "look/none" })).toBe(false);
  await expect(sandbox.deleteFile({ path: "look" })).rejects.toThrow("is a directory");
  await expect(sandbox.writeTextFile({ path: "look", content: "" })).rejects.toThrow("is a directory");
});

it("[T13] spawned processes stream, take input, and are killed", async () => {
  const cat = await sandbox.spawn({ command: "cat; echo end", stdin: true });
  const writer = cat.stdin.getWriter();
  await writer.write(Buffer.from("hello\n"));
  await writer.close();
  expect(await text(cat.stdout)).toBe("hello\nend\n");
  expect(await cat.wait()).toEqual({ exitCode: 0 });
  const sleeper = await sandbox.spawn({ command: "sleep 60" });
  await sleeper.kill();
  await sleeper.kill();
  expect(await sleeper.wait()).toEqual({ exitCode: 137 });
  const controller = new AbortController();
  const aborted = await sandbox.spawn({ command: "sleep 60", abortSignal: controller.signal });
  controller.abort(new Error("stop"));
  await expect(aborted.wait()).rejects.toThrow("stop");
});

it("[T15] what nobody reads ends the process instead of filling the memory", async () => {
  const flood = await sandbox.spawn({ command: "yes" });
  expect((await flood.wait()).exitCode).toBe(137);
  await expect(text(flood.stdout)).rejects.toThrow("were not read");
  const { exitCode, stderr } = await sandbox.run({ command: "yes" });
  expect([exitCode, stderr]).toEqual([137, expect.stringContaining("the command was ended")]);
});
