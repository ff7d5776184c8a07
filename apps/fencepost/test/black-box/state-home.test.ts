import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { buildCommand } from "./built-command.ts";
import { runCommand, type Finished } from "./run-command.ts";
import { createWorld, type World } from "./world.ts";

/** A user that no machine gives to anybody. */
const uid = 54_321;

const isRoot = process.platform === "linux" && process.geteuid?.() === 0;

let world: World;
beforeAll(() => buildCommand());
beforeEach(() => {
  const made = createWorld();
  if (!isRoot) {
    world = made;
    return;
  }
  // Where an ordinary user gets to: root's own home is closed to others.
  const base = mkdtempSync("/var/lib/fencepost-test-");
  chmodSync(base, 0o755);
  made.remove();
  const [home, workspace, outside] = ["home", "ws", "outside"].map((name) => join(base, name));
  world = { ...made, base, home: home ?? "", workspace: workspace ?? "", outside: outside ?? "", env: { ...made.env, HOME: home ?? "" }, remove: () => rmSync(base, { recursive: true, force: true }) };
  for (const directory of [world.home, world.workspace]) mkdirSync(directory);
  writeFileSync(`${world.workspace}/a.txt`, "hello\n");
  chownSync(world.workspace, uid, uid);
});
afterEach(() => world.remove());

const under = ["setpriv", `--reuid=${uid}`, `--regid=${uid}`, "--clear-groups"];
const run = (...args: string[]): Promise<Finished> => runCommand(world, args, { under });

// Root may write everywhere, so it starts the command as somebody who may not.
describe.runIf(isRoot)("a home that this user cannot write", () => {
  it("lets everything run that only reads", async () => {
    expect(await run("call", "read", '{"path":"a.txt"}')).toMatchObject({ code: 0, stdout: "1\thello\n", stderr: "" });
    expect(await run("call", "list")).toMatchObject({ code: 0, stdout: "a.txt\n" });
    expect((await run("call", "grep", '{"pattern":"hell"}')).code).toBe(0);
  });

  it("names the directory and what to do where something has to be written, and leaves all as it was", async () => {
    const state = `${world.home}/.fencepost`;
    const write = await run("call", "write", '{"path":"b.txt","content":"x"}');
    expect([write.code, write.stdout]).toEqual([1, `The state directory ${state}/locks cannot be written (EACCES), so nothing was written. Ask the user to make it writable, or to set HOME to a directory of their own.\n`]);
    const command = await run("call", "bash", '{"command":"echo x > c.txt"}');
    expect([command.code, command.stderr]).toEqual([1, ""]);
    expect(command.stdout).toContain(`[sandbox: the command was not started, because the state directory ${state} cannot be written (EACCES). Ask the user to make it writable, or to set HOME to a directory of their own]`);
    expect([existsSync(`${world.workspace}/b.txt`), existsSync(`${world.workspace}/c.txt`)]).toEqual([false, false]);
  });

  it("is named by doctor", async () => {
    const { stdout, stderr } = await run("doctor");
    expect(stderr).toBe("");
    expect(stdout).toContain(`bad   state directory: ${world.home}/.fencepost cannot be written (EACCES), so tools only read and no command runs\n      Make it writable for this user, or set HOME to a directory of your own.\n`);
  });
});
