import { spawn } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildCommand, commandPath } from "./built-command.ts";
import { runCommand } from "./run-command.ts";
import { createWorld, type World } from "./world.ts";

let world: World;

beforeAll(() => {
  buildCommand();
  world = createWorld();
});

afterAll(() => world.remove());

const leftovers = (): readonly string[] => (existsSync(`${world.home}/.cache`) ? readdirSync(`${world.home}/.cache`).filter((name) => name.startsWith("fencepost-demo")) : []);

describe("the demo", () => {
  it("does real work in a real fence, shows it, and takes its scratch copy away", async () => {
    const { code, stdout, stderr } = await runCommand(world, ["demo"]);
    expect([code, stderr]).toEqual([0, ""]);
    for (const part of ["not ok 2 - writes a time of day", "# fail 0", "pre-commit is protected and cannot be written in any mode", "[sandbox: file access denied under auto mode]", "┌ Permission needed: bash", "└ Allow once? [y/N] y  (answered by the demo)", "Low water 16:25", "-   // TODO: midnight", "Restored src/clock.js", "Done."]) expect(stdout).toContain(part);
    expect(stdout).not.toContain("\u001b");
    expect(leftovers()).toEqual([]);
  });

  it("takes the scratch copy away when it is interrupted", async () => {
    const child = spawn(process.execPath, [commandPath, "demo"], { cwd: world.workspace, env: world.env, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
    while (!output.includes("Do the tests pass?")) await pause(2);
    expect(leftovers()).toHaveLength(1);
    child.kill("SIGINT");
    expect(await new Promise((resolve) => child.once("close", resolve))).toBe(130);
    expect(leftovers()).toEqual([]);
  });
});
