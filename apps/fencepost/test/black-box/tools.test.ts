import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildCommand } from "./built-command.ts";
import { startHost } from "./jsonl-host.ts";
import { runCommand } from "./run-command.ts";
import { createWorld, type World } from "./world.ts";

let world: World;

beforeAll(() => {
  buildCommand();
  world = createWorld();
});

afterAll(() => world.remove());

describe("[T1] what can be called is told", () => {
  it("for people, with each parameter", async () => {
    const { code, stdout } = await runCommand(world, ["tools"]);
    expect(code).toBe(0);
    for (const line of ["read (read only)", "bash (process execution)", "  offset?:", "  command:", "  outputMode?:", "  sandboxPermissions?:"]) expect(stdout).toContain(line);
    for (const line of stdout.split("\n")) expect(line.length, line).toBeLessThanOrEqual(100);
  });

  it("for programs, the same from the command and over lines: each tool with its schema", async () => {
    const { stdout } = await runCommand(world, ["tools", "--json"]);
    const definitions: readonly { id: string; description: string; inputSchema: { type: string; properties: object }; riskHint: string }[] = JSON.parse(stdout);
    expect(definitions.map(({ id }) => id)).toEqual(["read", "write", "edit", "grep", "glob", "list", "bash"]);
    for (const { description, inputSchema } of definitions) expect([description.length > 10, inputSchema.type, "properties" in inputSchema]).toEqual([true, "object", true]);
    const host = await startHost(world);
    host.send({ id: "1", tools: true });
    expect((await host.when(({ id }) => id === "1")).result).toEqual({ tools: definitions });
    host.end();
    await host.exited;
  });

  it("has the tools beyond the default set on request only, and says how", async () => {
    const ids = async (...args: string[]): Promise<readonly string[]> => JSON.parse((await runCommand(world, ["tools", "--json", ...args])).stdout).map(({ id }: { id: string }) => id);
    const few = await ids();
    expect(few).not.toContain("apply_patch");
    expect(await ids("--tools", "apply_patch, bash")).toEqual([...few, "apply_patch"]);
    expect(await ids("--tools", "all")).toEqual(expect.arrayContaining([...few, "delete_file", "rename_file", "run_command_batch", "start_command"]));

    world.file("work space/gone.txt", "x");
    const call = ["call", "delete_file", '{"path":"gone.txt"}'];
    const hinted = await runCommand(world, call);
    expect([hinted.code, hinted.stderr]).toEqual([1, "fencepost: delete_file is not in the default set; --tools delete_file adds it\n"]);
    expect(await runCommand(world, [...call, "--tools", "delete_file"])).not.toMatchObject({ stdout: expect.stringContaining("There is no tool") });
    const wrong = await runCommand(world, ["call", "list", "--tools", "teleport"]);
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringMatching(/^fencepost: --tools names "teleport"; expected all, or [^\n]*apply_patch[^\n]*\n$/)]);
  });
});
