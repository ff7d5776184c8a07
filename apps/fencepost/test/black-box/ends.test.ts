import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { execa } from "execa";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildCommand, commandPath } from "./built-command.ts";
import { startHost } from "./jsonl-host.ts";
import { processesWith } from "./processes.ts";
import { runCommand } from "./run-command.ts";
import { treeOf } from "./tree.ts";
import { createWorld, type World } from "./world.ts";

let world: World;

beforeAll(() => {
  buildCommand();
  world = createWorld();
  mkdirSync(`${world.workspace}/.git/hooks`, { recursive: true });
  world.file("work space/a.txt", "hello\n");
});

afterAll(() => world.remove());

/** A command that would run for a minute and leaves children behind that ignore every polite signal. */
function stubborn(marker: string): string {
  return `trap '' TERM INT HUP; touch started; (setsid sh -c 'trap "" TERM INT HUP; sleep 61; : ${marker}' &) ; sh -c 'sleep 60; : ${marker}'`;
}

async function untilStarted(): Promise<void> {
  while (!existsSync(`${world.workspace}/started`)) await pause(5);
}

async function nothingLeft(marker: string): Promise<void> {
  for (let tries = 0; tries < 100 && processesWith(marker).length > 0; tries += 1) await pause(20);
  expect(processesWith(marker)).toEqual([]);
  const { rm } = await import("node:fs/promises");
  await rm(`${world.workspace}/started`, { force: true });
  expect(Object.keys(treeOf(world.workspace)).filter((path) => !path.startsWith(".git"))).toEqual(["a.txt"]);
}

/** The command at the left end of a pipe of the shell: its own exit code, and what it said. */
async function piped(args: readonly string[], reader: string): Promise<{ readonly code: number; readonly stderr: string }> {
  const { stdout, stderr } = await execa("/bin/bash", ["-c", `"$@" | ${reader} > /dev/null; echo "\${PIPESTATUS[0]}"`, "bash", process.execPath, commandPath, ...args], { cwd: world.workspace, env: world.env, extendEnv: false });
  return { code: Number(stdout), stderr: `${stderr}\n` };
}

const linux = process.platform === "linux";

describe("how a session ends", () => {
  it.runIf(linux)("[P54] at the end of input it cancels what runs, answers, and leaves nothing", async () => {
    const marker = randomUUID();
    const host = await startHost(world);
    host.send({ id: "1", tool: "bash", input: { command: stubborn(marker) } }, { id: "2", tool: "list", input: {} });
    await untilStarted();
    host.end();
    expect(await host.exited).toEqual({ code: 0, signal: null, stderr: "" });
    expect(host.messages.slice(1).map((message) => [message.id, message.result?.status])).toEqual([
      ["1", "cancelled"],
      ["2", "cancelled"],
    ]);
    await nothingLeft(marker);
  });

  it.runIf(linux).each([
    ["SIGTERM", 143],
    ["SIGINT", 130],
    ["SIGHUP", 129],
  ] as const)("[P54] on %s it exits %i and leaves nothing", async (signal, code) => {
    const marker = randomUUID();
    const host = await startHost(world);
    host.send({ id: "1", tool: "bash", input: { command: stubborn(marker) } });
    await untilStarted();
    host.child.kill(signal);
    expect(await host.exited).toEqual({ code, signal: null, stderr: "" });
    expect(host.messages.at(-1)?.result?.status).toBe("cancelled");
    await nothingLeft(marker);
  });

  it.runIf(linux)("[P54] [P51] killed outright, it leaves no process and no litter", async () => {
    const marker = randomUUID();
    const host = await startHost(world);
    host.send({ id: "1", tool: "bash", input: { command: stubborn(marker) } });
    await untilStarted();
    host.child.kill("SIGKILL");
    await host.exited;
    await nothingLeft(marker);
  });

  it.runIf(linux)("when nobody reads its output any more, it says so in one line and ends what runs", async () => {
    const marker = randomUUID();
    const host = await startHost(world);
    host.send({ id: "1", tool: "bash", input: { command: stubborn(marker) } });
    await untilStarted();
    host.child.stdout.destroy();
    host.send({ id: "2", cancel: "none" });
    const { code, stderr } = await host.exited;
    expect(code).toBe(1);
    expect(stderr).toBe("fencepost: nobody reads standard output any more\n");
    await nothingLeft(marker);
  });

  it.runIf(linux).each([
    ["true", "echo a"],
    ["head -n 1", "echo a; sleep 0.5; echo b"],
    ["head -n 1", "seq 1 100; sleep 0.5"],
  ])("a reader (%s) that leaves before the last write of %j is told, also by the exit code", async (reader, command) => {
    const { code, stderr } = await piped(["call", "bash", JSON.stringify({ command })], reader);
    expect([code, stderr]).toEqual([1, "fencepost: nobody reads standard output any more\n"]);
  });

  it.runIf(linux)("what a call writes while it runs finds out that nobody reads, and cancels it", async () => {
    const marker = randomUUID();
    const { code } = await piped(["call", "bash", JSON.stringify({ command: `while :; do echo ${marker.slice(0, 4)}; sleep 0.1; done; : ${marker}` })], "head -n 1");
    expect(code).toBe(1);
    await nothingLeft(marker);
  });

  it("does not wait for a host that closed its side and never reads", async () => {
    const child = spawn(process.execPath, [commandPath, "session", "--jsonl"], { cwd: world.workspace, env: world.env, stdio: ["pipe", "pipe", "pipe"] });
    const lines = Array.from({ length: 3000 }, (_, index) => JSON.stringify({ id: `${index}-${"x".repeat(150)}`, cancel: "nobody" }));
    child.stdin.end(`${lines.join("\n")}\n`);
    const code = await new Promise((resolve) => child.once("exit", resolve));
    child.stdout.destroy();
    expect(code).toBe(0);
  });

  it("takes a whole conversation that is already there", async () => {
    const { code, stdout, stderr } = await runCommand(world, ["session", "--jsonl"], { input: '{"id":"m","mode":"accept-edits"}\n{"id":"x"}\nnonsense' });
    expect([code, stderr]).toEqual([0, ""]);
    const answers = stdout.trim().split("\n").slice(1).map((line): unknown => JSON.parse(line));
    expect(answers).toHaveLength(3);
    expect(answers).toEqual(expect.arrayContaining([{ id: "m", result: { mode: "accept-edits" } }, expect.objectContaining({ id: "x" }), expect.objectContaining({ id: null })]));
  });

  it.runIf(linux)("[P54] a call ends the same way", async () => {
    const marker = randomUUID();
    const child = spawn(process.execPath, [commandPath, "call", "bash", JSON.stringify({ command: stubborn(marker) })], { cwd: world.workspace, env: world.env, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
    await untilStarted();
    child.kill("SIGINT");
    expect(await new Promise((resolve) => child.once("close", resolve))).toBe(130);
    expect(output).toMatch(/\[cancelled; duration \d+ ms\]\n$/);
    await nothingLeft(marker);
  });

  it("leaves no temporary file of its own, and keeps the spill that it named", async () => {
    const temp = `${world.base}/temp`;
    mkdirSync(temp);
    const { stdout } = await runCommand(world, ["call", "bash", '{"command":"seq 1 20000"}'], { env: { TMPDIR: temp } });
    await runCommand(world, ["call", "write", '{"path":"b.txt","content":"x"}'], { env: { TMPDIR: temp } });
    expect(readdirSync(temp).filter((name) => name !== "fencepost")).toEqual([]);
    expect(readdirSync(world.workspace).toSorted()).toEqual([".git", "a.txt", "b.txt"]);
    const named = /saved at (\S+) /.exec(stdout)?.[1] ?? "none";
    expect(readFileSync(named, "utf8").split("\n")).toContain("10000");
    expect(readdirSync(`${world.home}/.fencepost/spill`)).toHaveLength(1);
  });
});
