import { execFileSync, spawn } from "node:child_process";
import { createServer } from "node:net";
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { bubblewrapBackend } from "../../src/index.ts";
import { commandIn, makeWorld, run, start, type World } from "./world.ts";

const backend = bubblewrapBackend();
let world: World;
beforeEach(() => (world = makeWorld()));
afterEach(() => world.remove());
afterAll(() => backend.close());

describe.runIf(process.platform === "linux")("what a command cannot undo", () => {
  it("[P52] it has no capability, cannot gain one, and cannot make a namespace", async () => {
    const ran = await run(backend, commandIn(world, "grep -E '^Cap(Prm|Eff|Bnd|Amb)|NoNewPrivs' /proc/self/status; unshare -U true; unshare -r true; unshare -m true; /usr/sbin/chroot / true; exit 0"));
    expect(ran.output.match(/^Cap\w+:\t0000000000000000$/gm)).toHaveLength(4);
    expect(ran.output).toContain("NoNewPrivs:\t1");
    expect(ran.output.match(/unshare: unshare failed/g)?.length).toBe(3);
    expect(ran.output).toContain("cannot change root directory");
  });

  it("[P52] it can neither remount nor unmount nor cover a protection", async () => {
    const env = world.file(".env");
    mkdirSync(join(world.home, ".ssh"));
    writeFileSync(join(world.home, ".ssh/key"), "the-secret\n");
    const script = [
      "mount -o remount,rw /; mount -o remount,bind,rw .env; mount -o remount,bind,rw ~/.ssh; mount -o remount,rw /proc",
      "umount .env; umount -l .env; umount ~/.ssh; umount -l /proc; umount -l /; umount -l .",
      "mount -t tmpfs none $TMPDIR; mount --bind $TMPDIR .; mount --move .env $TMPDIR; mount -t overlay overlay -o lowerdir=/ $TMPDIR; pivot_root . .",
      "echo x > .env; cat ~/.ssh/key",
      `ls /proc/1/root${world.home}/.ssh; cat /proc/1/root${world.home}/.ssh/key; cat /proc/self/root${world.home}/.ssh/key; echo x > /proc/1/root${world.outside}/f; echo x > /proc/self/cwd/.env`,
    ].join("\n");
    const ran = await run(backend, commandIn(world, script));
    expect(ran.output).not.toContain("the-secret");
    expect(readFileSync(env, "utf8")).toBe("kept\n");
    expect(existsSync(join(world.outside, "f"))).toBe(false);
  });

  it("[P52] it sees no process of the machine, and cannot signal or trace one", async () => {
    const bystander = spawn("sleep", ["30"], { stdio: "ignore" });
    try {
      const ran = await run(backend, commandIn(world, `ls -d /proc/[0-9]* | wc -l; kill -9 ${bystander.pid}; kill -9 -1; cat /proc/${process.pid}/environ; cat /proc/${process.pid}/root/etc/hostname`));
      expect(Number(ran.output.split("\n")[0])).toBeLessThan(8);
      expect(bystander.exitCode).toBeNull();
      expect(bystander.signalCode).toBeNull();
    } finally {
      bystander.kill("SIGKILL");
    }
  });

  it("[P52] settings of the kernel, devices and the machine's own directories are read-only", async () => {
    const before = readFileSync("/proc/sys/kernel/core_pattern", "utf8");
    const script = "exec 2>&1; for f in /proc/sys/kernel/core_pattern /proc/sys/kernel/hostname /proc/sysrq-trigger /proc/self/oom_score_adj /proc/1/oom_score_adj /sys/kernel/uevent_helper /sys/power/state /dev/new /dev/vda /etc/new; do if echo x > $f; then echo WROTE $f; fi; done 2>&1; mknod $TMPDIR/d b 254 0 && head -c1 $TMPDIR/d && echo OPENED; echo x > /dev/null; echo y > /dev/shm/y && cat /dev/shm/y; ls /dev/shm";
    const ran = await run(backend, commandIn(world, script));
    expect(ran.output).not.toMatch(/WROTE|OPENED/);
    expect(ran.output).toContain("y\ny\n");
    expect(readFileSync("/proc/sys/kernel/core_pattern", "utf8")).toBe(before);
    expect(existsSync("/dev/shm/y")).toBe(false);
  });

  it("[P52] it inherits no descriptor and nothing of the host's environment", async () => {
    const ran = await run(backend, commandIn(world, "for f in /proc/self/fd/*; do readlink $f; done; echo --; tr '\\0' '\\n' < /proc/self/environ; env"));
    const [descriptors, rest] = ran.output.split("--\n", 2);
    expect(descriptors?.trim().split("\n").length).toBeLessThanOrEqual(4);
    expect(rest).not.toContain("VITEST");
    expect(ran.output).not.toContain("NODE_");
  });

  it("[D-57] variables that load code into the runner or the shell do not arrive", async () => {
    const env = { PATH: "/usr/bin:/bin", LD_PRELOAD: "/tmp/evil.so", LD_LIBRARY_PATH: "/tmp", BASH_ENV: "/tmp/evil", NODE_OPTIONS: "--require=/tmp/evil", GIT_EDITOR: "evil", "BASH_FUNC_ls%%": "() { echo evil; }", LC_ALL: "de_DE.UTF-8" };
    const ran = await run(backend, commandIn(world, "env; cat /none", { env }));
    expect(ran.output).not.toMatch(/evil|LD_|LC_ALL/);
    expect(ran.output).toContain("LC_CTYPE=de_DE.UTF-8");
    expect(ran.output).toContain("No such file or directory");
  });

  it("[P11] with network none a connection fails, by default it does not", async () => {
    const server = createServer((socket) => socket.end("hello\n"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const script = `exec 3<>/dev/tcp/127.0.0.1/${port} && cat <&3`;
    try {
      const open = await run(backend, commandIn(world, script));
      expect(open.output).toBe("hello\n");
      const closed = await run(backend, commandIn(world, script, { policy: world.policy({ network: "none" }) }));
      expect(closed.exitCode).not.toBe(0);
      expect(closed.output).not.toContain("hello");
    } finally {
      server.close();
    }
  });

  it("[D-45] sockets of services in temp roots and /run cannot be reached", async () => {
    const path = join(world.temp, "agent.sock");
    const server = createServer((socket) => socket.end("reached\n"));
    await new Promise<void>((resolve) => server.listen(path, resolve));
    const connect = `node -e 'require("net").connect(process.argv[1]).on("error", (e) => console.log(e.code)).pipe(process.stdout)' `;
    try {
      const ran = await run(backend, commandIn(world, `${connect} ${path}; ls -A /run; ls /run/systemd`));
      expect(ran.output).not.toContain("reached");
      expect(ran.output).toMatch(/EACCES|ECONNREFUSED/);
      expect(ran.output).not.toContain("private");
    } finally {
      server.close();
    }
  });

  it.runIf(process.geteuid?.() === 0)("[D-45] a socket in another user's private directory does not stop a command from starting", async () => {
    const directory = join(world.outside, "private");
    mkdirSync(directory);
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(join(directory, "agent.sock"), resolve));
    chownSync(directory, 54321, 54321);
    chmodSync(directory, 0o700);
    try {
      const ran = await run(backend, commandIn(world, "echo begun"));
      expect([ran.output, ran.exitCode]).toEqual(["begun\n", 0]);
    } finally {
      server.close();
    }
  });

  it("[P54] processes left running are gone when the call has ended, also those that left the session", async () => {
    const ran = await run(backend, commandIn(world, `for i in 1 2 3 4 5; do setsid nohup bash -c 'while :; do echo x >> $TMPDIR/log; done' >/dev/null 2>&1 & done; sleep 0.2; exit 4`));
    expect([ran.gone, ran.exitCode]).toEqual([true, 4]);
    const size = readFileSync(join(world.temp, "log")).length;
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(readFileSync(join(world.temp, "log")).length).toBe(size);
  });

  it("[P54] SIGKILL ends everything, before and after the command has begun, and other signals reach the command and its children", async () => {
    const running = await start(backend, commandIn(world, "echo begun; setsid sleep 60 & sleep 60"));
    while (!running.output().includes("begun")) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(running.kill()).toBe("sent");
    const ran = await running.done;
    expect([ran.gone, ran.ran, ran.exitCode, ran.signal]).toEqual([true, true, null, "SIGKILL"]);
    expect(running.kill()).toBe("gone");

    const early = await start(backend, commandIn(world, "sleep 60"));
    early.kill();
    expect((await early.done).gone).toBe(true);

    const asked = await start(backend, commandIn(world, "trap 'echo asked; exit 9' TERM; echo begun; while :; do sleep 0.01; done"));
    while (!asked.output().includes("begun")) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(asked.kill("SIGTERM")).toBe("sent");
    expect(await asked.done).toMatchObject({ exitCode: 9, output: expect.stringContaining("asked\n") });
  });

  it("[P54] however early SIGKILL comes, no runner is left waiting", async () => {
    for (let turn = 0; turn < 40; turn += 1) {
      const early = await start(backend, commandIn(world, "sleep 60"));
      for (const until = performance.now() + turn / 8; performance.now() < until; );
      early.kill();
      expect((await early.done).gone).toBe(true);
    }
    const processes = execFileSync("ps", ["-eo", "stat,args"], { encoding: "utf8" }).split("\n");
    expect(processes.filter((line) => !line.startsWith("Z") && line.includes(world.workspace))).toEqual([]);
  });

  it("[P50] a directory closed with chmod hides no new protected name", async () => {
    const ran = await run(backend, commandIn(world, "mkdir -p shut/in half; echo x > shut/in/.env; echo x > half/.env; chmod 000 shut/in shut; chmod 600 half"));
    expect(ran.violated).toBe(true);
    for (const [path, mode] of [["shut", 0o000], ["half", 0o600]] as const) {
      expect(statSync(join(world.workspace, path)).mode & 0o777).toBe(mode);
      chmodSync(join(world.workspace, path), 0o700);
    }
    chmodSync(join(world.workspace, "shut/in"), 0o700);
    expect(existsSync(join(world.workspace, "shut/in/.env"))).toBe(false);
    expect(existsSync(join(world.workspace, "half/.env"))).toBe(false);
  });

  it("a command that dies by a signal says which", async () => {
    const ran = await run(backend, commandIn(world, "kill -SEGV $$"));
    expect([ran.exitCode, ran.signal]).toEqual([null, "SIGSEGV"]);
  });

  it("a terminal task keeps its session, others get one of their own", async () => {
    const own = await run(backend, commandIn(world, "ps -o sid= -p $$ || cut -d' ' -f6 /proc/$$/stat"));
    const kept = await run(backend, commandIn(world, "ps -o sid= -p $$ || cut -d' ' -f6 /proc/$$/stat", { terminal: true }));
    expect(Number(own.output)).toBeGreaterThan(0);
    expect(Number(kept.output)).toBe(0);
  });
});
