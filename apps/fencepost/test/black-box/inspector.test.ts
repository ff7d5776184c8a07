import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildCommand, commandPath } from "./built-command.ts";
import { inspect, installInspector, type Inspected } from "./inspector.ts";
import { createWorld, type World } from "./world.ts";

const installTimeoutMs = 300_000;

let world: World;

beforeAll(async () => {
  buildCommand();
  await installInspector();
  world = createWorld("project");
}, installTimeoutMs);

afterAll(() => world.remove());

describe.each(["legacy", "modern"])("the MCP Inspector's command line, %s protocol", (era) => {
  const run = (...args: readonly string[]): Promise<Inspected> =>
    inspect(world, [process.execPath, commandPath, "mcp", "--workspace", world.workspace], ["--protocol-era", era, ...args]);
  const call = (name: string, input: object): Promise<Inspected> => run("--method", "tools/call", "--tool-name", name, "--tool-args-json", JSON.stringify(input));

  it("finds nothing wrong with the list of tools", async () => {
    const { code, stdout, stderr } = await run("--method", "tools/list", "--strict");
    expect(code, stderr).toBe(0);
    expect(stderr).not.toContain("Warning: tool");
    const listed: { readonly result: { readonly tools: readonly { readonly name: string }[] } } = JSON.parse(stdout);
    expect(listed.result.tools.map(({ name }) => name)).toEqual(["read", "write", "edit", "grep", "glob", "list", "bash"]);
  });

  it("calls, sees bad arguments and an unknown tool, and is told where it cannot ask", async () => {
    const written = await call("write", { path: `${era}.txt`, content: "1\n" });
    expect(written.code, written.stderr).toBe(0);
    expect(readFileSync(join(world.workspace, `${era}.txt`), "utf8")).toBe("1\n");
    const listed = await call("bash", { command: "ls" });
    expect(listed.stdout).toContain(`${era}.txt`);

    const bad = await call("read", { file: "x" });
    expect(bad.code).not.toBe(0);
    expect(bad.stdout).toContain("unknown field `file`");
    expect((await call("nothing", {})).stderr).toContain("tool_not_found");
    const asking = await call("write", { path: ".env", content: "A=1\n", sandboxPermissions: { paths: [{ path: ".env", access: "write", scope: "exact" }] }, justification: "why" });
    expect(asking.stdout).toContain("this client cannot show questions");
    expect(existsSync(join(world.workspace, ".env"))).toBe(false);
  });
});
