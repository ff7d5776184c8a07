import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, linkSync, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { bubblewrapBackend, dropQuarantined, listQuarantine, resolveEnvironment, restoreQuarantined } from "../../src/index.ts";
import { pruneQuarantine } from "../../src/quarantine/quarantine-list.ts";
import { commandIn, makeWorld, run, start, type World } from "../bubblewrap/world.ts";
import { spawnHost } from "./spawn-host.ts";

const backend = bubblewrapBackend();
let world: World;
beforeEach(() => (world = makeWorld()));
afterEach(() => world.remove());
afterAll(() => backend.close());

const at = (path: string): string => join(world.workspace, path);
const stateHome = (): string => world.environment.stateHome;
async function quarantined(): Promise<string> {
  await run(backend, commandIn(world, "echo secret > .env"));
  return listQuarantine(stateHome())[0]?.id ?? "";
}

const until = async (done: () => boolean): Promise<void> => {
  while (!done()) await new Promise((resolve) => setTimeout(resolve, 5));
};

describe.runIf(process.platform === "linux")("new protected names", () => {
  it("[P50] [D-6] [D-10] do not survive the call at any depth, are kept byte for byte, and are reported", async () => {
    world.file("pkg/x.ts");
    const ran = await run(backend, commandIn(world, "mkdir -p a/b/c; printf 'k\\0v' > a/b/c/.env; git init -q sub && echo evil > sub/.git/hooks/pre-commit; echo e > .envrc; mkdir .VSCode; echo s > .VSCode/settings.json; echo q > q; mv q pkg/.mcp.json; ln -s /etc .husky; echo fine > fine", { callId: "the call/1" }));
    expect(ran.exitCode).toBe(0);
    expect(ran.violated).toBe(true);
    expect(ran.classify(ran.output)).toBe("denied");
    const directory = join(stateHome(), "quarantine/session/the_call_1");
    expect(ran.notes).toEqual([`[sandbox: 6 new protected paths were moved to ${directory}: .VSCode, .envrc, .husky, pkg/.mcp.json, sub/.git, a/b/c/.env]`]);
    for (const gone of ["a/b/c/.env", "sub/.git", ".envrc", ".VSCode", "pkg/.mcp.json", ".husky"]) expect(lstatSync(at(gone), { throwIfNoEntry: false }), gone).toBeUndefined();
    expect(readFileSync(at("fine"), "utf8")).toBe("fine\n");
    const kept = listQuarantine(stateHome());
    expect(kept).toHaveLength(6);
    const stored = kept.find((entry) => entry.path === at("a/b/c/.env"));
    expect(readFileSync(join(stored?.storedAt ?? "", ".env"))).toEqual(Buffer.from("k\0v"));
    const repository = kept.find((entry) => entry.path === at("sub/.git"));
    expect(readFileSync(join(repository?.storedAt ?? "", ".git/hooks/pre-commit"), "utf8")).toBe("evil\n");
    expect(readlinkSync(join(kept.find((entry) => entry.path === at(".husky"))?.storedAt ?? "", ".husky"))).toBe("/etc");
  });

  it("[P50] names only the first twenty", async () => {
    const ran = await run(backend, commandIn(world, "for i in $(seq 10 34); do mkdir d$i; echo x > d$i/.env; done"));
    expect(ran.notes[0]).toMatch(/^\[sandbox: 25 new protected paths were moved to /);
    expect(ran.notes[0]?.split(", ")).toHaveLength(20);
  });

  it("[P50] leaves what was there before, what is granted, and what lies outside the workspace", async () => {
    world.file(".env");
    const grants = [
      { path: at("new/.env"), access: "write", scope: "exact" } as const,
      { path: at(".vscode/settings.json"), access: "write", scope: "exact" } as const,
    ];
    const ran = await run(backend, commandIn(world, "mkdir new .vscode; echo granted > new/.env; echo no > new/.envrc; echo granted > .vscode/settings.json; echo no > .vscode/tasks.json; echo t > $TMPDIR/.env", { policy: world.policy({ grants }) }));
    expect(readFileSync(at(".env"), "utf8")).toBe("kept\n");
    expect(readFileSync(at("new/.env"), "utf8")).toBe("granted\n");
    expect(readFileSync(at(".vscode/settings.json"), "utf8")).toBe("granted\n");
    expect(readFileSync(join(world.temp, ".env"), "utf8")).toBe("t\n");
    expect(existsSync(at("new/.envrc"))).toBe(false);
    expect(existsSync(at(".vscode/tasks.json"))).toBe(false);
    expect(ran.notes[0]).toContain("2 new protected paths");
  });

  it("[D-7] in an existing .git nothing can be created", async () => {
    execFileSync("git", ["init", "-q", world.workspace]);
    const ran = await run(backend, commandIn(world, "echo x > .git/hooks/pre-commit; echo x > .git/config.worktree; echo x > .git/commondir; exit 1"));
    expect(ran.classify(ran.output)).toBe("denied");
    for (const path of ["hooks/pre-commit", "config.worktree", "commondir"]) expect(existsSync(at(`.git/${path}`)), path).toBe(false);
  });

  it("[D-7] new hooks in a granted .git, also of a new submodule, are moved away", async () => {
    mkdirSync(at(".git"));
    world.file(".git/config");
    const grants = [{ path: at(".git"), access: "write", scope: "subtree" } as const];
    const ran = await run(backend, commandIn(world, "echo c >> .git/config; mkdir -p .git/hooks .git/modules/m/hooks; echo x > .git/hooks/pre-commit; echo x > .git/modules/m/hooks/pre-push; echo r > .git/HEAD", { policy: world.policy({ grants }) }));
    expect(ran.violated).toBe(true);
    expect(existsSync(at(".git/hooks"))).toBe(false);
    expect(existsSync(at(".git/modules/m/hooks"))).toBe(false);
    expect(readFileSync(at(".git/HEAD"), "utf8")).toBe("r\n");
    expect(readFileSync(at(".git/config"), "utf8")).toBe("kept\nc\n");
  });

  it("[D-20] a .git file made to point elsewhere does not stay", async () => {
    await run(backend, commandIn(world, `mkdir evil; echo "gitdir: ${world.workspace}/evil" > .git`));
    expect(existsSync(at(".git"))).toBe(false);
  });

  it("a protected place with a path of its own that did not exist does not stay, nor a link in its parents", async () => {
    const environment = { ...world.environment, skillRoots: [at("conf/skills")] };
    const direct = await run(backend, commandIn(world, "mkdir -p conf/skills/s; echo x > conf/skills/s/SKILL.md", { policy: world.policy({ environment }) }));
    expect(direct.violated).toBe(true);
    expect(existsSync(at("conf/skills"))).toBe(false);
    const linked = await run(backend, commandIn(world, "rmdir conf; mkdir -p other/skills; ln -s other conf", { policy: world.policy({ environment }) }));
    expect(linked.violated).toBe(true);
    expect(lstatSync(at("conf"), { throwIfNoEntry: false })).toBeUndefined();
  });

  it("the forged time of a directory hides nothing", async () => {
    world.file("dir/a");
    await run(backend, commandIn(world, "true"));
    await new Promise((resolve) => setTimeout(resolve, 50));
    await run(backend, commandIn(world, "true"));
    const ran = await run(backend, commandIn(world, "touch -r dir/a stamp; echo x > dir/.env; touch -r stamp dir; touch -d '2001-01-01' dir"));
    expect(ran.violated).toBe(true);
    expect(existsSync(at("dir/.env"))).toBe(false);
  });
});

describe.runIf(process.platform === "linux")("protected files beyond the mounts", () => {
  const many = 120;
  const fill = (): void => {
    for (let index = 0; index < many; index += 1) world.file(`d${index}/.env`, `value ${index}\n`);
  };
  const intact = (): void => {
    for (let index = 0; index < many; index += 1) expect(readFileSync(at(`d${index}/.env`), "utf8")).toBe(`value ${index}\n`);
  };

  it.each([
    ["changed", "for f in d*/.env; do echo x >> $f; done"],
    ["removed", "rm -f d*/.env"],
    ["replaced by links", "for f in d*/.env; do ln -sf /etc/passwd $f; done"],
    ["replaced by directories", "for f in d*/.env; do rm -f $f && mkdir $f && echo x > $f/y; done"],
    ["moved away with their directory", "for d in d*; do mv $d moved-$d; done"],
    ["removed with their directory", "rm -rf d*"],
    ["put behind a link", "for d in d*; do mv $d /proc/self/cwd/m$d && ln -s m$d $d; done"],
  ])("[D-49] [P8] %s, are put back byte for byte, and the call is marked", async (_how, script) => {
    fill();
    chmodSync(at("d0/.env"), 0o600);
    const ran = await run(backend, commandIn(world, `${script} 2>/dev/null; exit 0`));
    expect(ran.violated).toBe(true);
    expect(ran.classify("")).toBe("denied");
    expect(ran.notes.join("\n")).toMatch(/protected paths were changed and have been put back|new protected paths were moved/);
    intact();
    expect(lstatSync(at("d0/.env")).mode & 0o777).toBe(0o600);
    expect(lstatSync(at("d5")).isSymbolicLink()).toBe(false);
    expect(execFileSync("find", [world.workspace, "-name", ".env"], { encoding: "utf8" }).trim().split("\n")).toHaveLength(many);
  });

  it("[D-49] thousands of protected files start a command, and more protected directories than the limit refuse by name", async () => {
    for (let index = 0; index < 5000; index += 1) world.file(`e${index % 50}/n${index}/.env`);
    const ran = await run(backend, commandIn(world, "echo evil > e7/n4957/.env; echo evil > e0/n0/.env; echo done"));
    expect(ran.output).toContain("done");
    expect(readFileSync(at("e7/n4957/.env"), "utf8")).toBe("kept\n");
    expect(readFileSync(at("e0/n0/.env"), "utf8")).toBe("kept\n");
    for (let index = 0; index < 600; index += 1) mkdirSync(at(`v${index}/.vscode`), { recursive: true });
    const refused = await backend.prepare(commandIn(world, "true"));
    expect(refused).toMatchObject({ refused: true, kind: "limit" });
    expect(refused.refused && refused.message).toContain("600 protected directories need 1200 mounts, more than the limit of 500");
  });

  it("a protected link is put back, and what it leads to cannot be written", async () => {
    const target = world.file("config/dev.env");
    symlinkSync("config/dev.env", at(".env"));
    const ran = await run(backend, commandIn(world, "echo x > .env; echo y > config/dev.env; rm .env; echo evil > .env"));
    expect(ran.violated).toBe(true);
    expect(readlinkSync(at(".env"))).toBe("config/dev.env");
    expect(readFileSync(target, "utf8")).toBe("kept\n");
  });

  it("[P50] what protected links lead through and to stays, and an end that was missing is not made", async () => {
    const target = world.file("releases/1/envrc");
    mkdirSync(at("ordinary"));
    for (const [name, to] of Object.entries({ ".vscode": "newdir", ".envrc": "current/envrc", current: "releases/1", ".env.d": "ordinary" })) symlinkSync(to, at(name));
    const environment = { ...world.environment, aliases: resolveEnvironment({ workspaceRoot: world.workspace, env: { HOME: world.home } }).aliases ?? { hardProtectedPaths: [], credentialPaths: [] } };
    const script = "mkdir newdir; echo evil > newdir/tasks.json; mkdir fake; echo evil > fake/envrc; ln -sfn fake current; echo evil > releases/1/envrc; mv ordinary o2; echo ok > ordinary/x; echo ok > releases/1/other";
    const ran = await run(backend, commandIn(world, script, { policy: world.policy({ environment }) }));
    expect(ran.violated).toBe(true);
    expect(existsSync(at("newdir"))).toBe(false);
    expect([readlinkSync(at("current")), readFileSync(target, "utf8")]).toEqual(["releases/1", "kept\n"]);
    expect([readFileSync(at("ordinary/x"), "utf8"), readFileSync(at("releases/1/other"), "utf8"), existsSync(at("o2"))]).toEqual(["ok\n", "ok\n", false]);
    const granted = world.policy({ environment, grants: [{ path: target, access: "write", scope: "exact" }] });
    await run(backend, commandIn(world, "echo new > .envrc", { policy: granted }));
    expect([readFileSync(target, "utf8"), readlinkSync(at(".envrc"))]).toEqual(["new\n", "current/envrc"]);
  });

  it("a file linked from elsewhere is restored in place, so every name holds the old content", async () => {
    const env = world.file(".env");
    linkSync(env, at("alias"));
    const inode = lstatSync(env).ino;
    await run(backend, commandIn(world, "echo evil >> alias"));
    expect([lstatSync(env).ino, readFileSync(env, "utf8"), readFileSync(at("alias"), "utf8")]).toEqual([inode, "kept\n", "kept\n"]);
  });
});

describe.runIf(process.platform === "linux")("several commands, and hosts that die", () => {
  it("[P50] every owner that may have made a name is marked", async () => {
    const background = await start(backend, commandIn(world, "echo up; sleep 60", { background: true, callId: "server" }));
    await until(() => background.output().includes("up"));
    const foreground = await run(backend, commandIn(world, "mkdir d; echo x > d/.env"));
    expect(foreground.violated).toBe(true);
    background.kill();
    const ended = await background.done;
    expect(ended.violated).toBe(true);
    expect(ended.notes[0]).toContain("d/.env");
  });

  it("[P50] what one command was granted to make is not taken by another that ends later", async () => {
    const background = await start(backend, commandIn(world, "echo up; sleep 60", { background: true }));
    await until(() => background.output().includes("up"));
    const grants = [{ path: at(".env"), access: "write", scope: "exact" } as const];
    const granted = await run(backend, commandIn(world, "echo granted > .env", { policy: world.policy({ grants }) }));
    expect(granted.violated).toBe(false);
    const other = await run(backend, commandIn(world, "true"));
    expect(other.violated).toBe(false);
    background.kill();
    expect((await background.done).violated).toBe(false);
    expect(readFileSync(at(".env"), "utf8")).toBe("granted\n");
  });

  it("[P50] while a background task lives, its new names are swept every five seconds", async () => {
    const background = await start(backend, commandIn(world, "echo x > .env; echo up; sleep 60", { background: true }));
    await until(() => background.output().includes("up"));
    expect(existsSync(at(".env"))).toBe(true);
    await until(() => !existsSync(at(".env")));
    background.kill();
    expect((await background.done).notes[0]).toContain("1 new protected paths were moved");
  });

  it("[P51] [P50] [D-41] after a SIGKILL of the host nothing of the command lives, and the next start sweeps and leaves no artifact", async () => {
    execFileSync("git", ["init", "-q", world.workspace]);
    const policy = world.policy({ grants: [{ path: join(world.home, "later/cache"), access: "write", scope: "subtree" }] });
    const host = spawnHost(commandIn(world, "echo x > .env; setsid sleep 61 & echo up > $TMPDIR/up; while :; do echo y >> $TMPDIR/log; sleep 0.01; done", { policy, callId: "killed" }));
    await until(() => existsSync(join(world.temp, "log")));
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(existsSync(join(world.home, "later/cache"))).toBe(true);
    // What a living command made is for its own sweep; nobody clears up behind it meanwhile.
    await run(backend, commandIn(world, "true"));
    expect(existsSync(at(".env"))).toBe(true);
    expect(existsSync(join(world.home, "later/cache"))).toBe(true);
    writeFileSync(at("fine"), "");
    execFileSync("bash", ["-c", `echo late > '${at(".envrc")}'`]);
    host.kill("SIGKILL");
    await new Promise((resolve) => host.once("exit", resolve));
    await new Promise((resolve) => setTimeout(resolve, 100));
    const size = readFileSync(join(world.temp, "log")).length;
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(readFileSync(join(world.temp, "log")).length).toBe(size);

    const next = bubblewrapBackend();
    await run(next, commandIn(world, "true"));
    await next.close();
    expect(existsSync(at(".envrc"))).toBe(false);
    expect(listQuarantine(stateHome()).map((entry) => entry.path).toSorted()).toEqual([at(".env"), at(".envrc")]);
    expect(existsSync(join(world.home, "later"))).toBe(false);
    expect(readdirSync(join(stateHome(), "sandbox/live"))).toEqual([]);
    expect(execFileSync("git", ["-C", world.workspace, "status", "--porcelain"], { encoding: "utf8" })).toBe("?? fine\n");
  });

  it("[D-41] [P51] git status stays clean during and after many calls, concurrent ones too", async () => {
    execFileSync("git", ["init", "-q", world.workspace]);
    const status = (): string => execFileSync("git", ["-C", world.workspace, "status", "--porcelain"], { encoding: "utf8" });
    world.file(".env");
    execFileSync("git", ["-C", world.workspace, "add", "-f", ".env"]);
    execFileSync("git", ["-C", world.workspace, "-c", "user.name=t", "-c", "user.email=t@t", "commit", "-qm", "x"]);
    const before = readdirSync(world.workspace).toSorted();
    for (let turn = 0; turn < 7; turn += 1) {
      const running = await Promise.all(Array.from({ length: 3 }, () => start(backend, commandIn(world, "true"))));
      expect(status()).toBe("");
      await Promise.all(running.map(({ done }) => done));
      expect(status()).toBe("");
    }
    expect(readdirSync(world.workspace).toSorted()).toEqual(before);
    expect(readdirSync(join(stateHome(), "sandbox/live"))).toEqual([]);
  });
});

describe.runIf(process.platform === "linux")("grants on paths that do not exist", () => {
  it("a directory outside is made for the call, used, and removed if nobody used it", async () => {
    const cache = join(world.home, "a/cache");
    const policy = world.policy({ grants: [{ path: cache, access: "write", scope: "subtree" }] });
    const unused = await run(backend, commandIn(world, "true", { policy }));
    expect(unused.exitCode).toBe(0);
    expect(existsSync(join(world.home, "a"))).toBe(false);
    await run(backend, commandIn(world, "echo x > ~/a/cache/f; echo y > ~/a/g", { policy }));
    expect(readFileSync(join(cache, "f"), "utf8")).toBe("x\n");
    expect(existsSync(join(world.home, "a/g"))).toBe(false);
  });

  it("[P51] a placeholder that another living command uses stays until the last has ended", async () => {
    const file = join(world.home, "later.txt");
    const policy = world.policy({ grants: [{ path: file, access: "write", scope: "exact" }] });
    const first = await start(backend, commandIn(world, "echo up; sleep 60", { policy }));
    await until(() => first.output().includes("up"));
    await run(backend, commandIn(world, "true", { policy }));
    expect(existsSync(file)).toBe(true);
    first.kill();
    await first.done;
    expect(existsSync(file)).toBe(false);
  });

  it("a granted file is written in place", async () => {
    const file = join(world.home, "later.txt");
    const policy = world.policy({ mode: "accept-edits", grants: [{ path: file, access: "write", scope: "exact" }] });
    await run(backend, commandIn(world, "echo x > ~/later.txt", { policy }));
    expect(readFileSync(file, "utf8")).toBe("x\n");
  });
});

describe.runIf(process.platform === "linux")("the quarantine", () => {
  it("lists, restores, and drops", async () => {
    const id = await quarantined();
    expect(restoreQuarantined(stateHome(), id)).toEqual({ done: true, path: at(".env") });
    expect(readFileSync(at(".env"), "utf8")).toBe("secret\n");
    expect(listQuarantine(stateHome())).toEqual([]);
    renameSync(at(".env"), at("env"));
    const other = await quarantined();
    expect(dropQuarantined(stateHome(), other).done).toBe(true);
    expect(listQuarantine(stateHome())).toEqual([]);
    expect(restoreQuarantined(stateHome(), other)).toMatchObject({ done: false, message: expect.stringContaining("quarantine list") });
    expect(restoreQuarantined(stateHome(), "../../x")).toMatchObject({ done: false });
  });

  it("never restores over something", async () => {
    const id = await quarantined();
    writeFileSync(at(".env"), "mine\n");
    expect(restoreQuarantined(stateHome(), id)).toMatchObject({ done: false, message: expect.stringContaining("exists") });
    expect(readFileSync(at(".env"), "utf8")).toBe("mine\n");
    expect(listQuarantine(stateHome())).toHaveLength(1);
  });

  it("keeps entries thirty days", async () => {
    await quarantined();
    const day = 24 * 60 * 60 * 1000;
    pruneQuarantine(stateHome(), Date.now() + 29 * day);
    expect(listQuarantine(stateHome())).toHaveLength(1);
    pruneQuarantine(stateHome(), Date.now() + 31 * day);
    expect(listQuarantine(stateHome())).toHaveLength(0);
  });
});
