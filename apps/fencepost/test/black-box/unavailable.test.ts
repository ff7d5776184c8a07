import { existsSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildCommand } from "./built-command.ts";
import { runCommand, type Finished } from "./run-command.ts";
import { createWorld, type World } from "./world.ts";

// The machine without its sandbox: the same files, but the runner cannot be started.
const withoutRunner = ["bwrap", "--dev-bind", "/", "/", "--ro-bind", "/dev/null", "/usr/bin/bwrap", "--"];

let world: World;

beforeAll(() => {
  buildCommand();
  world = createWorld();
  world.file("work space/a.txt", "one\n");
});

afterAll(() => world.remove());

const run = (args: readonly string[], input = ""): Promise<Finished> => runCommand(world, args, { under: withoutRunner, input });

describe.runIf(process.platform === "linux" && existsSync("/usr/bin/bwrap"))("where the sandbox is unavailable", () => {
  it("[P13] [D-38] [B-60] bash runs nothing, says why, and exits 4; file tools work", async () => {
    const bash = await run(["call", "bash", '{"command":"touch ran; echo out"}']);
    expect(bash.code).toBe(4);
    expect(bash.stdout).toMatch(/^\[sandbox: unavailable, so bash cannot run commands in this session \(.+\)\. File tools still work; ask the user to run the command in their own terminal if it is needed\.\]\n$/);
    expect(existsSync(`${world.workspace}/ran`)).toBe(false);
    expect((await run(["call", "read", '{"path":"a.txt"}'])).stdout).toBe("1\tone\n");
    expect((await run(["call", "bash", '{"command":"touch ran"}', "--approve", "allow"])).code).toBe(4);
    expect(existsSync(`${world.workspace}/ran`)).toBe(false);
  });

  it("[P14] no tool knows of permissions, and none opens anything", async () => {
    const input = { path: `${world.outside}/x`, content: "x", sandboxPermissions: { paths: [{ path: `${world.outside}/x`, access: "write", scope: "exact" }] }, justification: "Please." };
    const result = await run(["call", "write", JSON.stringify(input), "--approve", "allow"]);
    expect(result.stdout).toContain("unknown field `sandboxPermissions`");
    expect(existsSync(`${world.outside}/x`)).toBe(false);
  });

  it("the session, the doctor and the demo say so, with a remedy", async () => {
    const session = await run(["session", "--jsonl"], '{"id":"1","tool":"bash","input":{"command":"touch ran"}}\n');
    const ready: { ready: { sandbox: { available: boolean; reason: string } } } = JSON.parse(session.stdout.split("\n")[0] ?? "");
    expect(ready.ready.sandbox.available).toBe(false);
    expect(ready.ready.sandbox.reason.length).toBeGreaterThan(5);
    const doctor = await run(["doctor"]);
    expect(doctor.code).toBe(4);
    expect(doctor.stdout).toMatch(/bad +self-check: .*cannot be trusted.*\n +Install bubblewrap .+\n/);
    const demo = await run(["demo"]);
    expect([demo.code, demo.stderr]).toEqual([4, ""]);
    expect(demo.stdout).toContain("The sandbox is unavailable: ");
    expect(existsSync(`${world.workspace}/ran`)).toBe(false);
  });
});
