import { spawn, type ChildProcess } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { listQuarantine, resolveEnvironment, restoreQuarantined, SandboxPolicy, sandboxUnavailableText, type SandboxCommand, type SandboxLaunch, type SandboxSettlement } from "@fencepost/sandbox";
import { createSeatbeltBackend, seatbeltBackend, type SeatbeltHost } from "../../src/seatbelt/backend.ts";

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(userInfo().homedir, ".cache-fencepost-test-")));
  for (const name of ["home", "ws", "ws/pkg", "tmp"]) mkdirSync(join(root, name));
  writeFileSync(join(root, "sandbox-exec"), '#!/bin/bash\nwhile [ "$1" != -- ]; do shift; done; shift; exec "$@"\n');
  chmodSync(join(root, "sandbox-exec"), 0o755);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Everything but the kernel: the runner passes the command on, so that starting and ending can be looked at here. */
function backend(changes: Partial<SeatbeltHost> = {}): ReturnType<typeof createSeatbeltBackend> {
  return createSeatbeltBackend({
    platform: "darwin",
    runner: join(root, "sandbox-exec"),
    selfCheck: () => Promise.resolve({ available: true }),
    validateProfile: () => Promise.resolve(undefined),
    ...changes,
  });
}

function command(script: string, more: Partial<SandboxCommand> = {}): SandboxCommand {
  const environment = resolveEnvironment({ workspaceRoot: join(root, "ws"), env: { HOME: join(root, "home"), TMPDIR: join(root, "tmp") } });
  const policy = new SandboxPolicy({ mode: "auto", workspaceRoot: join(root, "ws"), grants: [], network: "host", environment });
  return { policy, argv: ["/bin/bash", "-c", script], workingDirectory: join(root, "ws"), env: { PATH: "/usr/bin:/bin", LC_ALL: "de_DE.UTF-8" }, sessionId: "s", callId: "c", ...more };
}

async function prepared(script: string, more: Partial<SandboxCommand> = {}): Promise<SandboxLaunch> {
  const launch = await backend().prepare(command(script, more));
  if (launch.refused) throw new Error(launch.message);
  return launch;
}

function start(launch: SandboxLaunch): { child: ChildProcess; ended: Promise<SandboxSettlement> } {
  const child = spawn(launch.file, [...launch.args], { cwd: launch.cwd, env: { ...launch.env }, detached: true, stdio: "ignore" });
  launch.onStarted(child.pid);
  const ended = new Promise<SandboxSettlement>((resolve) => child.on("exit", (code, signal) => resolve(launch.settle({ code, signal }))));
  return { child, ended };
}

const groupLives = (pid: number | undefined): boolean => {
  try {
    return process.kill(-(pid ?? 0), 0);
  } catch {
    return false;
  }
};

async function eventually(condition: () => boolean): Promise<void> {
  for (let tries = 0; !condition() && tries < 1000; tries += 1) await delay(10);
  expect(condition()).toBe(true);
}

describe("seatbeltBackend", () => {
  it("[P13] is unavailable elsewhere, says why, and then runs nothing", async () => {
    const elsewhere = backend({ platform: "linux" });
    expect(await elsewhere.probe()).toEqual({ available: false, reason: "Seatbelt exists on macOS only", remedy: "Use the sandbox of this platform." });
    expect(await elsewhere.prepare(command("true"))).toMatchObject({ refused: true, kind: "unavailable", message: sandboxUnavailableText("Seatbelt exists on macOS only") });
    expect(await backend({ runner: join(root, "absent") }).probe()).toMatchObject({ available: false, reason: `${join(root, "absent")} is missing` });
  });

  it("[D-54] takes the runner from its one place, whatever the path variable says", async () => {
    const own = seatbeltBackend();
    if (process.platform !== "darwin") expect((await own.probe()).available).toBe(false);
    const launch = await prepared("true", { env: { PATH: join(root, "ws") } });
    expect([launch.file, launch.args[4]]).toEqual(["/bin/sh", join(root, "sandbox-exec")]);
  });

  it("[D-57] keeps variables from the child that make programs load others, and words errors as they are read", async () => {
    const launch = await prepared("true", { env: { PATH: "/bin", LC_ALL: "de_DE.UTF-8", LD_PRELOAD: "/x", NODE_OPTIONS: "-r x", GIT_EDITOR: "x", BASH_ENV: "x" } });
    expect(launch.env).toEqual({ PATH: "/bin", LC_MESSAGES: "C", LC_CTYPE: "de_DE.UTF-8" });
  });

  it("[D-38] runs nothing where the self-check has failed", async () => {
    const answer = { available: false, reason: "sandbox-exec does not enforce what it is told", remedy: "r" } as const;
    const refused = await backend({ runner: join(root, "sandbox-exec"), selfCheck: () => Promise.resolve(answer), validateProfile: () => Promise.reject(new Error("must not be asked")) }).prepare(command("touch ran"));
    expect(refused).toEqual({ refused: true, kind: "unavailable", message: sandboxUnavailableText(answer.reason) });
    expect(existsSync(join(root, "ws/ran"))).toBe(false);
  });

  it("[D-52] where a command starts changes nothing of what it may write", async () => {
    const [inside, outside] = await Promise.all([prepared("true"), prepared("true", { workingDirectory: join(root, "home") })]);
    expect(outside.cwd).toBe(join(root, "home"));
    expect(outside.args).toEqual(inside.args);
  });

  it("[D-51] runs the command in its directory and gives back its exit code", async () => {
    const { ended } = start(await prepared("pwd > here; exit 7"));
    expect(await ended).toMatchObject({ gone: true, ran: true, exitCode: 7, signal: null, violated: false, notes: [] });
    expect(readFileSync(join(root, "ws/here"), "utf8")).toBe(`${join(root, "ws")}\n`);
  });

  it("[P54] leaves nothing of the command's group behind", async () => {
    const { child, ended } = start(await prepared("sleep 100 & sleep 100 & exit 0"));
    expect((await ended).gone).toBe(true);
    expect(groupLives(child.pid)).toBe(false);
  });

  it("an interrupt reaches what the command is waiting for, and not the watchdog", async () => {
    const launch = await prepared("touch ready; /bin/sleep 100; touch after");
    const { child, ended } = start(launch);
    await eventually(() => existsSync(join(root, "ws/ready")));
    await delay(50);
    const exited = new Promise<boolean>((resolve) => child.once("exit", () => resolve(groupLives(child.pid))));
    expect(launch.signal("SIGINT")).toBe("sent");
    expect(await exited).toBe(true);
    expect(await ended).toMatchObject({ signal: "SIGINT", gone: true });
    expect(existsSync(join(root, "ws/after"))).toBe(false);
  });

  it("signals the command, or kills all of it", async () => {
    const launch = await prepared("trap 'echo told > told; exit 3' TERM; touch ready; while :; do sleep 0.05; done");
    const { ended } = start(launch);
    await eventually(() => existsSync(join(root, "ws/ready")));
    expect(launch.signal("SIGTERM")).toBe("sent");
    expect((await ended).exitCode).toBe(3);
    expect([launch.signal("SIGKILL"), existsSync(join(root, "ws/told"))]).toEqual(["gone", true]);
  });

  it("[P54] kills the command when the host is killed", async () => {
    const launch = await prepared("sleep 300 & wait");
    const args = launch.args.map((argument) => (argument === String(process.pid) ? "HOST" : argument));
    const source = `const {spawn}=require("node:child_process");const c=spawn(${JSON.stringify(launch.file)},${JSON.stringify(args)}.map((a)=>a==="HOST"?String(process.pid):a),{detached:true,stdio:"ignore"});console.log(c.pid);setInterval(()=>{},1000)`;
    const host = spawn(process.execPath, ["-e", source], { stdio: ["ignore", "pipe", "inherit"] });
    const pid = await new Promise<number>((resolve) => host.stdout?.once("data", (data: Buffer) => resolve(Number(data.toString()))));
    expect(groupLives(pid)).toBe(true);
    host.kill("SIGKILL");
    await eventually(() => !groupLives(pid));
  });

  it("says so where a runner could not be started", async () => {
    const launch = await prepared("true");
    launch.onStarted(undefined);
    expect(await launch.settle({ code: null, signal: null })).toMatchObject({ ran: false, gone: true, exitCode: null });
  });

  it("validates a profile once, and runs nothing under one that does not load", async () => {
    let validations = 0;
    const counting = backend({ validateProfile: () => Promise.resolve(void (validations += 1)) });
    await counting.prepare(command("true"));
    await counting.prepare(command("false"));
    expect(validations).toBe(1);
    const refusing = backend({ validateProfile: () => Promise.resolve("unbound variable") });
    expect(await refusing.prepare(command("true"))).toEqual({ refused: true, kind: "failed", message: "[sandbox: the sandbox does not accept its profile (unbound variable), so the command was not run; tell the user]" });
  });

  it("[D-49] names the limit instead of failing to start", async () => {
    for (let index = 0; index < 2100; index += 1) {
      mkdirSync(join(root, "ws", `d${index}`));
      writeFileSync(join(root, "ws", `d${index}`, ".env"), "");
    }
    expect(await backend().prepare(command("true"))).toMatchObject({ refused: true, kind: "limit", message: expect.stringMatching(/directories hold protected paths, more than the limit of 2000/) });
    expect(await backend().prepare(command("x".repeat(800_000)))).toMatchObject({ refused: true, kind: "limit" });
  });

  it("[D-49] 5,000 protected files in one directory need no rule each", async () => {
    for (let index = 0; index < 5000; index += 1) writeFileSync(join(root, "ws/pkg", `.env.${index}`), "");
    const launch = await prepared("true");
    expect(launch.args.join("").length).toBeLessThan(32_000);
  });

  it("[P50] moves protected names to quarantine that came with a moved directory, which no rule can refuse", async () => {
    mkdirSync(join(root, "tmp/made/.git/hooks"), { recursive: true });
    writeFileSync(join(root, "tmp/made/.git/hooks/pre-commit"), "evil\n");
    writeFileSync(join(root, "tmp/made/ordinary"), "fine\n");
    writeFileSync(join(root, "ws/.env"), "kept\n");
    const launch = await prepared("true");
    renameSync(join(root, "tmp/made"), join(root, "ws/made"));
    const { ended } = start(launch);
    const settlement = await ended;
    expect(settlement.violated).toBe(true);
    const stateHome = join(root, "home/.fencepost");
    expect(settlement.notes).toEqual([`[sandbox: 1 new protected paths were moved to ${stateHome}/quarantine/s/c: made/.git]`]);
    expect(settlement.classify("")).toBe("denied");
    expect([existsSync(join(root, "ws/made/.git")), readFileSync(join(root, "ws/made/ordinary"), "utf8"), readFileSync(join(root, "ws/.env"), "utf8")]).toEqual([false, "fine\n", "kept\n"]);
    const [entry] = listQuarantine(stateHome);
    expect(readFileSync(join(entry?.storedAt ?? "", ".git/hooks/pre-commit"), "utf8")).toBe("evil\n");
    expect(restoreQuarantined(stateHome, entry?.id ?? "")).toMatchObject({ done: true });
  });
});
