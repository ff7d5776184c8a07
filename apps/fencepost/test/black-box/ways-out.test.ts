import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { resultText, type ToolResult } from "@fencepost/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildCommand } from "./built-command.ts";
import { startHost, type JsonlHost } from "./jsonl-host.ts";
import { runCommand } from "./run-command.ts";
import { createWorld, type World } from "./world.ts";

let world: World;
let host: JsonlHost;

beforeAll(async () => {
  buildCommand();
  world = createWorld("app");
  world.file("app/a.txt", "hello\n");
  world.file("app/.env", "KEY=kept\n");
  world.file("app/.vscode/settings.json", "kept\n");
  world.file("app/vendor/lib/.git/hooks/pre-commit", "kept\n");
  world.file("app-evil/f", "kept\n");
  world.file("outside/victim/hooks/pre-commit", "kept\n");
  world.file("home/.ssh/id_rsa", "PRIVATE-KEY-TEXT\n");
  execFileSync("git", ["init", "-q", world.workspace]);
  symlinkSync(`${world.outside}/absent.txt`, `${world.workspace}/dangling`);
  symlinkSync(`${world.home}/.ssh/id_rsa`, `${world.workspace}/k`);
  host = await startHost(world, ["--approve", "ask"]);
});

afterAll(async () => {
  host.end();
  await host.exited;
  world.remove();
});

const content = (path: string): string => readFileSync(`${world.base}/${path}`, "utf8");

async function refused(tool: string, input: object): Promise<string> {
  const result = await host.call(tool, input);
  const text = resultText(result);
  expect(result.sandboxDenied || result.status === "denied" || result.status === "failed", `${tool} ${JSON.stringify(input)}: ${text}`).toBe(true);
  return text;
}

/** One call with grants that a person gives. */
async function granted(tool: string, input: object, path: string, scope: "exact" | "subtree"): Promise<ToolResult | undefined> {
  const id = `granted ${path} ${tool}`;
  host.send({ id, tool, input: { ...input, sandboxPermissions: { paths: [{ path, access: "write", scope }] }, justification: "For the test." } });
  const card = await host.when((message) => message.permission?.callId === id || message.id === id);
  if (card.permission !== undefined) host.send({ permission: { requestId: card.permission.requestId, decision: "allow" } });
  return (await host.when((message) => message.id === id)).result;
}

describe("known ways out, through the tools of a session", () => {
  it("[D-1] a directory whose name begins like the workspace's is outside", async () => {
    const path = `${world.base}/app-evil/f`;
    expect(await refused("write", { path, content: "x" })).toContain("denied under auto mode");
    expect(await refused("edit", { filePath: path, oldString: "kept", newString: "x" })).toContain("denied under auto mode");
    expect(content("app-evil/f")).toBe("kept\n");
  });

  it("[D-3] nothing is created through a link that leads to nothing", async () => {
    expect(await refused("write", { path: "dangling", content: "x" })).toContain(`write access to dangling denied under auto mode`);
    await refused("bash", { command: "echo x > dangling" });
    expect(existsSync(`${world.outside}/absent.txt`)).toBe(false);
  });

  it("[D-4] a link to a credential opens it to no tool, and a search says that it was left out", async () => {
    for (const [tool, input] of [["read", { path: "k" }], ["grep", { pattern: "PRIVATE", path: "k" }]] as const) expect(await refused(tool, input)).not.toContain("PRIVATE-KEY-TEXT");
    // The text names the link and not what is masked, so nothing tells it from any other file without permission.
    expect(resultText(await host.call("bash", { command: "cat k" }))).toMatch(/^cat: k: (?:Permission denied|Operation not permitted)\n\[exit 1; /);
    const wide = resultText(await host.call("grep", { pattern: "PRIVATE", includeHidden: true }));
    expect(wide).not.toContain("KEY-TEXT");
    expect(wide).toMatch(/^No matches for \/PRIVATE\/ in \./);
  });

  it("[D-5] a link that a command makes is judged where it leads, when a file tool uses it", async () => {
    await host.call("bash", { command: `ln -s '${world.outside}' l` });
    expect(await refused("write", { path: "l/f", content: "x" })).toContain("denied under auto mode");
    expect(existsSync(`${world.outside}/f`)).toBe(false);
  });

  it("[D-8] [D-21] hooks of a nested repository and protected names in any case are closed to file tools", async () => {
    expect(await refused("write", { path: "vendor/lib/.git/hooks/pre-commit", content: "x" })).toContain("cannot be written in any mode; do not retry");
    expect(await refused("write", { path: "vendor/lib/.git/hooks/post-merge", content: "x" })).toContain("do not retry");
    for (const path of [".GIT/hooks/pre-commit", ".Git/HOOKS/x", ".Env", ".ENV.local", ".VSCode/settings.json", "sub/.EnvRC"]) await refused("write", { path, content: "x" });
    expect(content("app/vendor/lib/.git/hooks/pre-commit")).toBe("kept\n");
    expect(existsSync(`${world.workspace}/.Env`) && !existsSync(`${world.workspace}/.env`)).toBe(false);
  });

  it("[D-20] the .git file of a repository that does not point back is not written, and opens nothing", async () => {
    mkdirSync(`${world.workspace}/sub`);
    world.file("app/sub/.git", `gitdir: ${world.outside}/victim\n`);
    await refused("write", { path: "sub/.git", content: `gitdir: ${world.workspace}/evil\n` });
    await refused("write", { path: `${world.outside}/victim/hooks/pre-commit`, content: "x" });
    await refused("bash", { command: `echo x > sub/.git; echo x > '${world.outside}/victim/hooks/pre-commit'; exit 1` });
    expect(content("app/sub/.git")).toBe(`gitdir: ${world.outside}/victim\n`);
    expect(content("outside/victim/hooks/pre-commit")).toBe("kept\n");
    rmSync(`${world.workspace}/sub`, { recursive: true });
  });

  it("[D-29] what a person gave for one path opens no other, in one command and for a file tool", async () => {
    const result = await granted("bash", { command: "cat ~/.ssh/id_rsa; echo KEY=new > .env; echo x > .vscode/settings.json" }, ".env", "exact");
    expect(result && resultText(result)).not.toContain("PRIVATE-KEY-TEXT");
    expect([content("app/.env"), content("app/.vscode/settings.json")]).toEqual(["KEY=new\n", "kept\n"]);
    const other = await granted("write", { path: ".vscode/settings.json", content: "x" }, ".env", "exact");
    expect(other?.status).not.toBe("succeeded");
    expect(content("app/.vscode/settings.json")).toBe("kept\n");
  });

  it("[D-30] every tool gives the same answer about a credential, and about a protected file", async () => {
    for (const [tool, input] of [
      ["read", { path: "~/.ssh/id_rsa" }],
      ["grep", { pattern: "PRIVATE", path: "~/.ssh" }],
      ["glob", { pattern: "*", path: "~/.ssh" }],
      ["list", { path: "~/.ssh" }],
      ["edit", { filePath: "~/.ssh/id_rsa", oldString: "PRIVATE", newString: "x" }],
      ["write", { path: "~/.ssh/id_rsa", content: "x" }],
      ["bash", { command: "cat ~/.ssh/id_rsa" }],
    ] as const) {
      const result = await host.call(tool, input);
      expect([tool, result.sandboxDenied]).toEqual([tool, true]);
      expect(resultText(result)).not.toContain("KEY-TEXT");
    }
    expect(content("home/.ssh/id_rsa")).toBe("PRIVATE-KEY-TEXT\n");
    for (const [tool, input] of [["edit", { filePath: ".vscode/settings.json", oldString: "kept", newString: "x" }], ["write", { path: ".vscode/settings.json", content: "x" }], ["bash", { command: "echo x > .vscode/settings.json" }]] as const) {
      expect([tool, (await host.call(tool, input)).sandboxDenied]).toEqual([tool, true]);
    }
    expect(content("app/.vscode/settings.json")).toBe("kept\n");
  });

  it("[D-52] a working directory that the model chooses widens nothing", async () => {
    for (const workdir of ["~", "/", world.outside]) {
      await refused("bash", { command: "echo x > fence-probe", workdir });
      for (const directory of [world.home, "/", world.outside]) expect(existsSync(`${directory}/fence-probe`)).toBe(false);
    }
    await refused("bash", { command: "cat id_rsa", workdir: "~/.ssh" });
  });

  it("[D-58] in a home, commands write nothing, and file tools do", async () => {
    const run = (tool: string, input: object) => runCommand(world, ["call", tool, JSON.stringify(input), "--workspace", world.home]);
    const command = await run("bash", { command: "echo x > new" });
    expect([command.code, command.stdout]).toEqual([0, expect.stringContaining("[sandbox: file access denied under auto mode]")]);
    expect(existsSync(`${world.home}/new`)).toBe(false);
    expect((await run("write", { path: "new", content: "x" })).code).toBe(0);
    rmSync(`${world.home}/new`);
  });
});
