import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { allow, clientKinds, connectClient, textOf, type McpClient, type Place } from "../../../../packages/adapters/test/doubles/mcp-clients.ts";
import { buildCommand, commandPath } from "./built-command.ts";
import { runCommand } from "./run-command.ts";
import { createWorld, type World } from "./world.ts";

let world: World;

beforeAll(() => {
  buildCommand();
  world = createWorld();
});

afterAll(() => world.remove());

function stdio(...args: readonly string[]): Place {
  return { command: process.execPath, args: [commandPath, "mcp", "--workspace", world.workspace, ...args], env: stringsOf(world.env) };
}

function stringsOf(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

describe.each(clientKinds)("fencepost mcp over standard input and output, %s", (kind) => {
  let client: McpClient;

  beforeAll(async () => {
    client = await connectClient(kind, stdio());
  });

  afterAll(() => client.close());

  it("lists, calls, refuses, asks", async () => {
    const folder = `stdio-${clientKinds.indexOf(kind)}`;
    expect((await client.list()).map(({ name }) => name)).toContain("bash");
    expect(textOf(await client.call("write", { path: `${folder}/a.txt`, content: "1\n" }))).toContain("Created");
    expect((await client.call("read", { path: "missing" })).isError).toBe(true);
    await expect(client.call("nothing", {})).rejects.toMatchObject({ code: -32602 });
    client.answers = [allow];
    const env = `${folder}/.env`;
    const asked = await client.call("write", { path: env, content: "A=1\n", sandboxPermissions: { paths: [{ path: env, access: "write", scope: "exact" }] }, justification: "The tests need A." });
    expect(textOf(asked)).toContain("Created");
    expect(client.questions).toHaveLength(1);
    expect(readFileSync(join(world.workspace, env), "utf8")).toBe("A=1\n");
  });

  it("tells progress and ends what is cancelled", async () => {
    const messages: string[] = [];
    await client.call("bash", { command: "echo first; sleep 0.4; echo second" }, { onProgress: (message) => messages.push(message) });
    expect(messages.join("")).toContain("first");
    const marker = `marker-${clientKinds.indexOf(kind)}`;
    const controller = new AbortController();
    const calling = client.call("bash", { command: `touch ${marker}; sleep 30; touch ${marker}.late` }, { signal: controller.signal }).catch(() => "cancelled");
    while (!existsSync(join(world.workspace, marker))) await new Promise((resolve) => setTimeout(resolve, 20));
    controller.abort();
    expect(await calling).toBe("cancelled");
    expect((await client.call("bash", { command: "true" })).isError).toBeFalsy();
    expect(existsSync(join(world.workspace, `${marker}.late`))).toBe(false);
  });
});

it("answers itself where the command line has answered", async () => {
  const client = await connectClient("sdk 2, 2026-07-28", stdio("--approve", "deny", "--text-only"));
  try {
    client.answers = [allow];
    const env = "denied/.env";
    const refused = await client.call("write", { path: env, content: "x", sandboxPermissions: { paths: [{ path: env, access: "write", scope: "exact" }] }, justification: "why" });
    expect(textOf(refused)).toContain("The user denied this call");
    expect(refused.structuredContent).toBeUndefined();
    expect(client.questions).toEqual([]);
  } finally {
    await client.close();
  }
});

it("writes nothing but the protocol to standard output, and ends with its input", async () => {
  const child = spawn(process.execPath, [commandPath, "mcp", "--workspace", world.workspace, "--approve", "allow-all"], { env: world.env });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => (output += chunk));
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const send = (message: object): void => void child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  send({ id: 1, method: "initialize", params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "raw", version: "1" } } });
  send({ method: "notifications/initialized" });
  // `allow-all` answers, which the session warns about: on standard error.
  send({ id: 2, method: "tools/call", params: { name: "bash", arguments: { command: "rm -rf nothing-there; echo done" } } });
  while (!output.includes('"id":2')) await new Promise((resolve) => setTimeout(resolve, 20));
  child.stdin.end();
  expect(await ended).toBe(0);
  const lines = output.trimEnd().split("\n");
  for (const line of lines) expect(JSON.parse(line)).toMatchObject({ jsonrpc: "2.0" });
  expect(lines).toHaveLength(2);
});

const serve = async (env: Record<string, string>): Promise<{ readonly url: string; readonly said: () => string; readonly stop: () => Promise<number | null> }> => {
  const child = spawn(process.execPath, [commandPath, "mcp", "--http", "--workspace", world.workspace], { env: { ...world.env, ...env } });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => (said += chunk));
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  while (!/serving \S+\n/.test(said)) await new Promise((resolve) => setTimeout(resolve, 20));
  return {
    url: /serving (\S+)/.exec(said)?.[1] ?? "",
    said: () => said,
    stop() {
      child.kill("SIGTERM");
      return ended;
    },
  };
};

describe("fencepost mcp --http", () => {
  it("serves on 127.0.0.1 with a token it prints, and ends on a signal", async () => {
    const { url, said, stop } = await serve({});
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
    while (!said().includes("Bearer")) await new Promise((resolve) => setTimeout(resolve, 20));
    const token = /Bearer (\S+)/.exec(said())?.[1] ?? "";
    const client = await connectClient("sdk 2, 2026-07-28", { url, token });
    expect(textOf(await client.call("list", {}))).not.toBe("");
    await client.close();
    expect(await stop()).toBe(143);
  });

  it("takes its token from the environment, and then prints none", async () => {
    const token = "a-token-of-the-test-0123456789";
    const { url, said, stop } = await serve({ FENCEPOST_MCP_TOKEN: token });
    const client = await connectClient("sdk 1", { url, token });
    expect((await client.list()).length).toBeGreaterThan(0);
    await client.close();
    expect(said()).not.toContain("Bearer");
    await stop();
  });

  it.each(["short", "", "two words are no token"])("refuses a token that is none (%j), with the variable it came from", async (token) => {
    const refused = await runCommand(world, ["mcp", "--http"], { env: { FENCEPOST_MCP_TOKEN: token } });
    expect(refused).toMatchObject({ code: 2, stdout: "", stderr: "fencepost: FENCEPOST_MCP_TOKEN must have at least 16 characters and no spaces\n" });
  });

  it("says that a port is taken, and what to do", async () => {
    const { url, stop } = await serve({});
    const { port } = new URL(url);
    const refused = await runCommand(world, ["mcp", "--http", "--port", port]);
    expect(refused).toMatchObject({ code: 1, stdout: "", stderr: `fencepost: port ${port} of 127.0.0.1 is taken; choose another with --port, or leave it out for a free one\n` });
    await stop();
  });
});
