import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { rmSync, writeFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildCommand, commandPath } from "./built-command.ts";
import { startHost } from "./jsonl-host.ts";
import { processesWith } from "./processes.ts";
import { keys, openTerminal } from "./terminal.ts";
import { createWorld, type World } from "./world.ts";

let world: World;

beforeAll(() => {
  buildCommand();
  world = createWorld();
});

afterAll(() => world.remove());

const bash = (command: string): readonly string[] => ["call", "bash", JSON.stringify({ command })];

/** Goes on only when the one who watches has seen its first line. */
const waiting = "echo begun; until [ -e go ]; do sleep 0.05; done; echo done";

function go(): void {
  writeFileSync(`${world.workspace}/go`, "");
}

async function nothingLeft(marker: string): Promise<void> {
  for (let tries = 0; tries < 100 && processesWith(marker).length > 0; tries += 1) await pause(20);
  expect(processesWith(marker)).toEqual([]);
}

// Commands run in the kernel sandbox of Linux here.
describe.runIf(process.platform === "linux")("output while a command runs", () => {
  it("reaches a pipe, whose reader gets the text of the result and nothing else", async () => {
    const child = spawn(process.execPath, [commandPath, ...bash(waiting)], { cwd: world.workspace, env: world.env, stdio: ["ignore", "pipe", "inherit"] });
    let output = "";
    child.stdout.on("data", (chunk: Buffer) => {
      output += chunk.toString();
      if (output === "begun\n") go();
    });
    expect(await new Promise((resolve) => child.once("close", resolve))).toBe(0);
    expect(output).toMatch(/^begun\ndone\n\[exit 0; duration \d+ ms\]\n$/);
    rmSync(`${world.workspace}/go`);
  });

  it("reaches a terminal, long output too, and nothing is shown twice", async () => {
    const run = openTerminal(world, bash(`${waiting}; for i in $(seq 3000); do echo "line $i"; [ $((i % 500)) = 0 ] && sleep 0.12; done`));
    await run.until("begun");
    go();
    expect(await run.exited).toBe(0);
    expect(run.lines().filter((line) => line === "line 1500")).toHaveLength(1);
    expect(run.lines().filter((line) => line === "line 3000")).toHaveLength(1);
    expect(run.raw().match(/bytes omitted/g)).toHaveLength(1);
    expect(run.lines().at(-2)).toMatch(/^\[exit 0; duration \d+ ms\]$/);
    rmSync(`${world.workspace}/go`);
  });

  it("[P54] Ctrl-C in a terminal cancels, shows what there was, and leaves nothing", async () => {
    const marker = randomUUID();
    const run = openTerminal(world, bash(`echo begun; (setsid sh -c 'trap "" INT; sleep 61; : ${marker}' &); trap '' INT; sleep 60; : ${marker}`));
    await run.until("begun");
    run.type(keys.ctrlC);
    expect(await run.exited).toBe(130);
    expect(run.raw()).toMatch(/begun\r\n(?:\^C(?:\r\n)?)?\[cancelled; duration \d+ ms\]\r\n$/);
    await nothingLeft(marker);
  });

  it("goes out by lines with --progress, while the call still runs; without it nothing but results does", async () => {
    const host = await startHost(world, ["--progress"]);
    host.send({ id: "1", tool: "bash", input: { command: waiting } });
    const first = await host.when((message) => message.id === "1");
    expect(first.progress).toEqual({ kind: "stdout", text: "begun\n" });
    go();
    const last = await host.when((message) => message.result !== undefined);
    expect(last.result?.status).toBe("succeeded");
    host.end();
    expect((await host.exited).code).toBe(0);
    const quiet = await startHost(world);
    await quiet.call("bash", { command: "echo a; sleep 0.1; echo b" }, "2");
    expect(quiet.messages.filter((message) => message.id === "2")).toHaveLength(1);
    quiet.end();
    await quiet.exited;
    rmSync(`${world.workspace}/go`);
  });
});
