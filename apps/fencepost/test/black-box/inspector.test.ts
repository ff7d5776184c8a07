import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
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

describe("the MCP Inspector's command line over HTTP", () => {
  const token = "a-token-of-the-test-0123456789";
  let server: ChildProcess;
  let url = "";

  beforeAll(async () => {
    server = spawn(process.execPath, [commandPath, "mcp", "--http", "--workspace", world.workspace], { env: { ...world.env, FENCEPOST_MCP_TOKEN: token }, stdio: ["ignore", "ignore", "pipe"] });
    let said = "";
    server.stderr?.setEncoding("utf8").on("data", (chunk: string) => (said += chunk));
    while (url === "") {
      url = /serving (\S+)\n/.exec(said)?.[1] ?? "";
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  });

  afterAll(async () => {
    server.kill("SIGTERM");
    await once(server, "close");
  });

  const call = (era: string, name: string, input: object, bearer = token, signal?: AbortSignal): Promise<Inspected> =>
    inspect(world, [], ["--transport", "http", "--server-url", url, "--header", `Authorization: Bearer ${bearer}`, "--protocol-era", era, "--method", "tools/call", "--tool-name", name, "--tool-args-json", JSON.stringify(input)], signal);

  it.each(["legacy", "modern"])("calls each tool of one session, %s protocol", async (era) => {
    const inputs = {
      write: { path: `${era}/a.txt`, content: "one\n" },
      read: { path: `${era}/a.txt` },
      edit: { filePath: `${era}/a.txt`, oldString: "one", newString: "1" },
      grep: { pattern: "1", path: era },
      glob: { pattern: `${era}/*` },
      list: { path: era },
      bash: { command: `cat ${era}/a.txt` },
    };
    for (const [tool, input] of Object.entries(inputs)) {
      const { code, stdout, stderr } = await call(era, tool, input);
      expect([tool, code], stdout + stderr).toEqual([tool, 0]);
    }
    expect(readFileSync(join(world.workspace, era, "a.txt"), "utf8")).toBe("1\n");
    expect((await call(era, "list", {}, "another-token-0123456789")).code).not.toBe(0);
  }, installTimeoutMs);

  it("its end in the middle of a call ends the command, and the session goes on", async () => {
    const controller = new AbortController();
    const calling = call("modern", "bash", { command: "touch started; sleep 30; touch late" }, token, controller.signal);
    while (!existsSync(join(world.workspace, "started"))) await new Promise((resolve) => setTimeout(resolve, 20));
    controller.abort();
    await calling;
    expect((await call("modern", "bash", { command: "ls" })).stdout).toContain("started");
    expect(existsSync(join(world.workspace, "late"))).toBe(false);
  }, installTimeoutMs);
});
