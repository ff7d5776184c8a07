import { existsSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildCommand } from "./built-command.ts";
import { runCommand, type Finished } from "./run-command.ts";
import { createWorld, type World } from "./world.ts";

let world: World;

beforeAll(() => {
  buildCommand();
  world = createWorld();
  world.file("work space/a.txt", "one\ntwo\n");
});

afterAll(() => world.remove());

const run = (...args: string[]): Promise<Finished> => runCommand(world, args);

describe("one call from a shell", () => {
  it("prints the text of the result and exits 0", async () => {
    expect(await run("call", "read", '{"path":"a.txt"}')).toEqual({ code: 0, signal: null, stdout: "1\tone\n2\ttwo\n", stderr: "" });
    expect((await run("call", "list")).stdout).toBe("a.txt\n");
    expect((await runCommand(world, ["call", "read", "-"], { input: '{"path":"a.txt","offset":2}' })).stdout).toBe("2\ttwo\n");
    expect((await runCommand(world, ["call", "list", "{}", "--workspace", world.workspace], { cwd: world.home })).stdout).toBe("a.txt\n");
  });

  it("prints the whole result with --json", async () => {
    const { stdout } = await run("call", "bash", '{"command":"exit 3"}', "--json");
    expect(JSON.parse(stdout)).toMatchObject({ status: "succeeded", sandboxDenied: false, content: [{ type: "text" }] });
  });

  it("exits 1 for a failure, 3 for a refusal", async () => {
    const missing = await run("call", "read", '{"path":"none.txt"}');
    expect([missing.code, missing.stderr]).toEqual([1, ""]);
    expect(missing.stdout).toContain("none.txt does not exist");
    expect((await run("call", "teleport", "{}")).code).toBe(1);
    const refused = await run("call", "write", JSON.stringify({ path: `${world.outside}/x`, content: "x" }));
    expect(refused.code).toBe(3);
    expect(refused.stdout).toContain("[sandbox: to proceed, retry this call once with sandboxPermissions listing");
    expect(existsSync(`${world.outside}/x`)).toBe(false);
  });

  it("says where an existing file can be changed, as a call has read nothing", async () => {
    world.file("work space/there.txt", "one\n");
    const { code, stdout, stderr } = await run("call", "edit", '{"filePath":"there.txt","oldString":"one","newString":"two"}');
    expect([code, stdout]).toEqual([1, "Read there.txt before editing it.\n"]);
    expect(stderr).toMatch(/^fencepost: each `fencepost call` is a session of its own[^\n]*`fencepost session --jsonl` and `fencepost run`[^\n]*\n$/);
  });

  it("[C16] asks nobody unless told to: --approve allow answers with yes and warns, deny with no", async () => {
    const escalated = JSON.stringify({ path: `${world.outside}/y`, content: "y", sandboxPermissions: { paths: [{ path: `${world.outside}/y`, access: "write", scope: "exact" }] }, justification: "For the test." });
    expect((await run("call", "write", escalated)).code).toBe(3);
    expect(await run("call", "write", escalated, "--approve", "deny")).toMatchObject({ code: 3, stderr: "" });
    const unasked = await run("call", "write", escalated);
    expect([unasked.code, unasked.stdout, unasked.stderr]).toEqual([3, expect.stringContaining("The user denied this call"), "fencepost: a call needed a person's word and was denied, because standard input and standard error are no terminal; --approve says who answers\n"]);
    expect(existsSync(`${world.outside}/y`)).toBe(false);
    const asked = await run("call", "write", escalated, "--approve", "ask");
    expect([asked.code, asked.stderr]).toEqual([2, "fencepost: --approve ask cannot ask: standard input and standard error are no terminal\n"]);
    const allowed = await run("call", "write", escalated, "--approve", "allow");
    expect(allowed.code).toBe(0);
    expect(allowed.stderr).toMatch(/^fencepost: .*allow-all answers every question with yes.*\n$/);
    const hooks = JSON.stringify({ path: ".git/hooks/pre-commit", content: "x", sandboxPermissions: { paths: [{ path: ".git/hooks/pre-commit", access: "write", scope: "exact" }] }, justification: "No." });
    expect((await run("call", "write", hooks, "--approve", "allow")).code).not.toBe(0);
    expect(existsSync(`${world.workspace}/.git`)).toBe(false);
  });

  it.each([
    [["call", "list", "{oops"], "the input is not valid JSON"],
    [["call", "list", "{}", "--nope"], "unknown option --nope"],
    [["call"], "something is missing"],
    [["frob"], 'unknown command "frob"'],
    [["call", "list", "{}", "--workspace", "/no/such/dir"], "/no/such/dir"],
    [["call", "list", "{}", "--workspace", "a.txt"], "not a directory"],
    [["call", "list", "{}", "--mode", "yolo"], '--mode was "yolo"'],
    [["call", "list", "{}", "--mode", "x\u001b[31m\ny"], "--mode was"],
    [["session"], "needs --jsonl"],
    [["session", "--jsonl", "--approve", "maybe"], "--approve was"],
    [["session", "--jsonl", "--workspace", "/no/such/dir"], "/no/such/dir"],
    [["explain"], "something is missing"],
    [["explain", "x", "--workspace", "/no/such"], "/no/such"],
    [["profile", "--backend", "docker"], '--backend was "docker"'],
    [["demo", "--json"], "has no option --json"],
  ])("answers %j with one clear line and exit 2", async (args, part) => {
    const { code, stdout, stderr } = await run(...args);
    expect(code).toBe(2);
    expect(stdout).toBe("");
    expect(stderr).toContain(part);
    expect(stderr).toMatch(/^fencepost: \P{Cc}*\n$/u);
  });

  it("writes what would move the cursor as escapes", async () => {
    world.file("work space/hostile.txt", "a\u001b[2J\u001b]0;title\u0007b\u202ec\r\n");
    const { stdout } = await run("call", "read", '{"path":"hostile.txt"}');
    expect(stdout).toBe("1\ta\\e[2J\\e]0;title\\x07b\\u{202e}c\n");
    world.file("work space/x\u001b[31m.txt", "");
    expect((await run("call", "list")).stdout).not.toContain("\u001b");
    const refusal = await run("call", "write", JSON.stringify({ path: `${world.outside}/\u001b[2Jx`, content: "" }));
    expect(refusal.stdout).not.toContain("\u001b");
    for (const name of ["hostile.txt", "x\u001b[31m.txt"]) await run("call", "bash", JSON.stringify({ command: `rm '${name}'` }));
  });

  it("shows colour only where it is wanted", async () => {
    const input = JSON.stringify({ path: "fresh.txt", content: "new\n" });
    expect((await runCommand(world, ["call", "write", input])).stdout).toBe("Created fresh.txt (+1)\nfresh.txt +1 -0 (created)\n  1 + new\n");
    const again = JSON.stringify({ path: "fresh2.txt", content: "new\n" });
    expect((await runCommand(world, ["call", "write", again], { env: { FORCE_COLOR: "1" } })).stdout).toContain("\u001b[32m+ new");
    const third = JSON.stringify({ path: "fresh3.txt", content: "new\n" });
    expect((await runCommand(world, ["call", "write", third], { env: { FORCE_COLOR: "1", NO_COLOR: "1" } })).stdout).not.toContain("\u001b");
  });

  it("explains a path, prints the profile, and says what the self-check found", async () => {
    const explained = await run("explain", ".git/hooks/pre-commit", "--json");
    expect(JSON.parse(explained.stdout)).toMatchObject({ tier: "hard-protected", path: `${world.workspace}/.git/hooks/pre-commit` });
    expect((await run("explain", "~/.ssh/id_rsa")).stdout).toContain("denied (credential)");
    expect((await run("profile", "--backend", "seatbelt")).stdout).toMatch(/^\(version 1\)\n/);
    const doctor = await run("doctor", "--json");
    expect(JSON.parse(doctor.stdout)).toMatchObject({ workspace: world.workspace, sandbox: { available: true } });
    expect(doctor.code).toBe(0);
  });

  it("helps, and says its version", async () => {
    expect((await run("--help")).stdout).toContain("Exit codes: 0 succeeded, 1 failed, 2 usage, 3 denied, 4 sandbox unavailable");
    expect((await run("call", "--help")).stdout).toContain("fencepost call <tool>");
    expect((await run("--version")).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});
