import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { buildCommand } from "./built-command.ts";
import { runCommand, type Finished } from "./run-command.ts";
import { createWorld, type World } from "./world.ts";

let world: World;
beforeAll(() => buildCommand());
beforeEach(() => (world = createWorld()));
afterEach(() => world.remove());

const run = (...args: string[]): Promise<Finished> => runCommand(world, args);

async function listed(): Promise<readonly { readonly id: string; readonly path: string; readonly why: string; readonly storedAt: string }[]> {
  return JSON.parse((await run("quarantine", "list", "--json")).stdout);
}

describe.runIf(process.platform === "linux")("what is in quarantine", () => {
  it("[P50] is listed with where it was, put back on demand, never over something, and dropped for good", async () => {
    expect((await run("quarantine", "list")).stdout).toBe("Nothing is in quarantine.\n");
    const made = await run("call", "bash", JSON.stringify({ command: "mkdir -p a; printf 'one\\n' > a/.env; echo two > '.env.x y'" }));
    expect(made.stdout).toMatch(/\[sandbox: 2 new protected paths were moved to \S+: \.env\.x y, a\/\.env\]\n$/);
    const entries = await listed();
    expect(entries.map(({ path, why }) => `${why} ${path}`).toSorted()).toEqual([`new ${world.workspace}/.env.x y`, `new ${world.workspace}/a/.env`]);
    const text = (await run("quarantine", "list")).stdout;
    for (const { id, path } of entries) expect(text).toContain(`${id}\n  ${path} (was new, `);

    const [first, second] = [entries.find(({ path }) => path.endsWith("a/.env")), entries.find(({ path }) => path.endsWith("x y"))].map((entry) => entry?.id ?? "");
    expect(await run("quarantine", "restore", first ?? "")).toEqual({ code: 0, signal: null, stdout: `Restored ${world.workspace}/a/.env\n`, stderr: "" });
    expect(readFileSync(`${world.workspace}/a/.env`, "utf8")).toBe("one\n");
    expect((await run("quarantine", "restore", first ?? "")).stderr).toContain("`fencepost quarantine list` shows what is");

    writeFileSync(`${world.workspace}/.env.x y`, "mine\n");
    const taken = await run("quarantine", "restore", second ?? "");
    expect([taken.code, taken.stderr]).toEqual([1, expect.stringContaining("exists. Move it away first")]);
    expect(readFileSync(`${world.workspace}/.env.x y`, "utf8")).toBe("mine\n");
    expect((await run("quarantine", "drop", second ?? "")).stdout).toBe(`Dropped ${world.workspace}/.env.x y\n`);
    expect(await listed()).toEqual([]);
  });

  it.each([["list", "x"], ["restore"], ["drop"], ["empty"], ["restore", "../../../etc", "x"]])("says how it is used: %j %j", async (...args) => {
    const { code, stdout, stderr } = await run("quarantine", ...args);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^fencepost: [^\n]+\n$/);
  });

  it("takes no id for a path", async () => {
    world.file("home/.fencepost/quarantine/keep", "x");
    for (const id of ["../..", "/etc", "a/b/1", "keep"]) expect((await run("quarantine", "drop", id)).code).toBe(1);
    expect(existsSync(`${world.home}/.fencepost/quarantine/keep`)).toBe(true);
  });
});

describe("what would run, and why", () => {
  it("explain names tier, verdict and rule for both actors, modes and accesses, on the resolved path", async () => {
    world.file("work space/.env", "");
    const { stdout } = await run("explain", ".env", "--json");
    const { path, tier, verdicts } = JSON.parse(stdout);
    expect([path, tier]).toEqual([`${world.workspace}/.env`, "sensitive"]);
    expect(verdicts).toHaveLength(8);
    expect(verdicts.filter((row: { access: string }) => row.access === "write")).toEqual(
      expect.arrayContaining([{ mode: "accept-edits", actor: "bash", access: "write", tier: "sensitive", verdict: { allowed: false, reason: "sensitive" }, rule: expect.stringContaining("an environment file") }]),
    );
    const text = (await run("explain", "~/.ssh/id_rsa")).stdout;
    expect(text).toContain(`${world.home}/.ssh/id_rsa\ntier: credential\n`);
    expect(text.match(/denied \(credential\)/g)).toHaveLength(8);
    expect((await run("explain", "src/a.ts")).stdout).toMatch(/auto\s+bash\s+write allowed\n\s+It lies in the workspace/);
  });

  it("explain says why commands only read in a workspace that holds a home", async () => {
    const { stdout } = await runCommand(world, ["explain", "a.txt", "--workspace", world.home]);
    expect(stdout).toContain(`The workspace holds the home ${world.home}, so commands only read there; take a directory in it as workspace.\n`);
    expect((await run("explain", "a.txt")).stdout).not.toContain("holds the home");
  });

  it("[D-54] profile prints the bubblewrap arguments of the system's runner, and leaves nothing behind", async () => {
    world.file("work space/.env", "");
    mkdirSync(`${world.workspace}/bin`);
    writeFileSync(`${world.workspace}/bin/bwrap`, "#!/bin/sh\ntouch ran\n");
    chmodSync(`${world.workspace}/bin/bwrap`, 0o755);
    const { stdout, code } = await runCommand(world, ["profile", "--backend", "bubblewrap"], { env: { PATH: `${world.workspace}/bin:${world.env["PATH"]}` } });
    if (process.platform !== "linux") return;
    expect(code).toBe(0);
    expect(stdout).toMatch(/^\/usr\/bin\/bwrap\n  --unshare-user\n/);
    expect(stdout).toContain(`  --ro-bind ${JSON.stringify(`${world.workspace}/.env`)} ${JSON.stringify(`${world.workspace}/.env`)}\n`);
    expect(stdout).toContain("  --cap-drop ALL\n");
    expect(existsSync(`${world.workspace}/ran`)).toBe(false);
    const parsed = JSON.parse((await run("profile", "--backend", "bubblewrap", "--json")).stdout);
    expect(parsed).toMatchObject({ backend: "bubblewrap", file: "/usr/bin/bwrap" });
    expect(parsed.args.slice(-4)).toEqual(["--", "/bin/bash", "-c", "<command>"]);
  });

  it("profile prints the Seatbelt profile without a path in it, and the paths as parameters, in both modes", async () => {
    for (const mode of ["auto", "accept-edits"]) {
      const { profile, parameters } = JSON.parse((await run("profile", "--backend", "seatbelt", "--mode", mode, "--json")).stdout);
      expect(profile).toMatch(/^\(version 1\)\n\(allow default\)\n\(deny file-write\*\)\n/);
      expect(profile).not.toContain(world.base);
      expect(Object.values(parameters).includes(world.workspace)).toBe(mode === "auto");
    }
  });
});

describe("doctor", () => {
  it("says where things are and what was found, a line each", async () => {
    const { stdout, code } = await run("doctor");
    expect(code).toBe(0);
    expect(stdout).toContain(`workspace  ${world.workspace}\n`);
    expect(stdout).toContain("git dirs   none besides .git directories in the workspace\n");
    expect(stdout).toMatch(/^good {2}self-check: \w+ refuses what it must$/m);
    expect(stdout).toContain(`good  state directory: ${world.home}/.fencepost\n`);
    const { findings, sandbox } = JSON.parse((await run("doctor", "--json")).stdout);
    expect(sandbox).toEqual({ available: true });
    expect(findings.map(({ subject }: { subject: string }) => subject)).toEqual(expect.arrayContaining(["self-check", "state directory"]));
  });

  it.runIf(process.platform === "linux" && process.geteuid?.() === 0)("names a workspace of another user, and what to do", async () => {
    chownSync(world.workspace, 54_321, 54_321);
    const { code, stdout } = await run("doctor");
    expect(stdout).toMatch(/^bad {3}workspace owner: .*uid 54321.*\n {6}Run Fencepost as that user: sudo -u '#54321'/m);
    expect(code).toBe(1);
  });

  it.runIf(process.platform === "linux")("fails where the home is the kernel's, as every command that needs it does, in one sentence", async () => {
    const env = { HOME: "/proc" };
    const { code, stdout } = await runCommand(world, ["doctor"], { env });
    expect([code, stdout]).toEqual([1, expect.stringContaining("bad   state directory: /proc/.fencepost lies in a file system of the kernel, where nothing can be kept, so no tool runs\n      Set HOME to a directory of your own.\n")]);
    expect((await runCommand(world, ["call", "list"], { env })).code).toBe(1);
    expect(await runCommand(world, ["sessions"], { env })).toMatchObject({ code: 1, stdout: "", stderr: "fencepost: no sessions can be kept in /proc/.fencepost (ENOENT); make it writable, or set HOME to a directory of your own\n" });
  });
});
