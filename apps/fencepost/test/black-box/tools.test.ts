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
});
