import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, existsSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { bubblewrapBackend } from "../../src/index.ts";
import { commandIn, makeWorld, run, type World } from "./world.ts";

const backend = bubblewrapBackend();
let world: World;
beforeEach(() => (world = makeWorld()));
afterEach(() => world.remove());
afterAll(() => backend.close());

const modeOf = (path: string): string => (statSync(path).mode & 0o7777).toString(8);

async function inNode(script: string): Promise<string> {
  const file = join(world.workspace, "script.cjs");
  writeFileSync(file, script);
  const ran = await run(backend, commandIn(world, `'${process.execPath}' script.cjs`));
  expect(ran.exitCode, ran.output).toBe(0);
  return ran.output;
}

const hasPython = spawnSync("/usr/bin/python3", ["-c", "import ctypes"]).status === 0;
const hasCompiler = spawnSync("gcc", ["--version"]).status === 0;

const tracer = String.raw`
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>
#define SAY(name, call) do { errno = 0; long got = (call); printf("%s %s %d\n", name, got < 0 ? "refused" : "done", errno); } while (0)
int main(void) {
  char byte; struct iovec own = { &byte, 1 }, theirs = { &byte, 1 };
  SAY("attach", ptrace(PTRACE_ATTACH, 1, 0, 0));
  SAY("seize", ptrace(PTRACE_SEIZE, 1, 0, 0));
  SAY("read", process_vm_readv(1, &own, 1, &theirs, 1, 0));
  SAY("write", process_vm_writev(1, &own, 1, &theirs, 1, 0));
  SAY("descriptor", syscall(438, (int)syscall(434, 1, 0), 0, 0));
  SAY("key", syscall(SYS_keyctl, 0, -3, 1));
  SAY("ring", syscall(425, 1, 0));
  SAY("openat2", syscall(437, -100, "x", 0, 0));
  pid_t child = fork();
  if (child == 0) { ptrace(PTRACE_TRACEME, 0, 0, 0); raise(SIGSTOP); _exit(7); }
  int status; waitpid(child, &status, 0);
  SAY("child", ptrace(PTRACE_CONT, child, 0, 0));
  waitpid(child, &status, 0); printf("child ended %d\n", WEXITSTATUS(status));
  return 0;
}
`;

describe.runIf(process.platform === "linux")("what a command cannot ask of the kernel", () => {
  it("[P52] process 1 has no door: its memory, its descriptors and its directories are not there", async () => {
    const output = await inNode(`const fs = require("fs");
      for (const name of ["mem", "fd", "root", "maps", "environ", "task/1/mem", "cwd"]) for (const open of ["r", "r+"]) {
        for (const at of ["/proc/1/", "/proc/self/../1/", "/proc/" + process.pid + "/../1/"]) try { fs.openSync(at + name, open); console.log("OPENED", at + name); } catch (error) { if (error.code !== "ENOENT") console.log(at + name, error.code); }
      }
      try { fs.mkdirSync("/proc/1/x"); console.log("MADE"); } catch (error) { console.log(error.code); }`);
    expect(output).toBe("EROFS\n");
  });

  it("[P54] no program of another user's rights is left behind", async () => {
    const output = await inNode(`const fs = require("fs");
      const temp = process.env.TMPDIR;
      const tries = {
        chmod: (file) => { fs.writeFileSync(file, ""); fs.chmodSync(file, 0o4755); },
        group: (file) => { fs.writeFileSync(file, ""); fs.chmodSync(file, 0o2755); },
        fchmod: (file) => { fs.fchmodSync(fs.openSync(file, "w"), 0o6755); },
        open: (file) => { fs.openSync(file, "w", 0o4755); },
      };
      for (const [name, attempt] of Object.entries(tries)) for (const file of [temp + "/" + name, name]) try { attempt(file); console.log("DONE"); } catch (error) { console.log(name, error.code); }`);
    expect(output.split("\n").filter((line) => line !== "").map((line) => line.split(" ")[1])).toEqual(Array.from({ length: 8 }, () => "EPERM"));
    const ran = await run(backend, commandIn(world, "cp /bin/true copy; chmod u+s copy; chmod 2755 copy; install -m 4755 /bin/true installed; perl -e 'chmod 04755, q(copy)'; mkfifo -m 4755 pipe; true"));
    expect(ran.output).toContain("Operation not permitted");
    for (const path of [join(world.temp, "chmod"), join(world.temp, "fchmod"), ...["chmod", "group", "fchmod", "copy", "installed"].map((name) => join(world.workspace, name))]) if (existsSync(path)) expect(statSync(path).mode & 0o6000, path).toBe(0);
    for (const path of [join(world.temp, "open"), join(world.workspace, "open")]) expect(existsSync(path)).toBe(false);
  });

  it.runIf(hasCompiler)("[P52] [P54] process 1 is not traced, nor its descriptors taken; keys of the host are not there; own children are traced", async () => {
    writeFileSync(join(world.workspace, "tracer.c"), tracer);
    execFileSync("gcc", ["-o", "tracer", "tracer.c"], { cwd: world.workspace });
    const ran = await run(backend, commandIn(world, "./tracer"));
    const [notPermitted, notThere] = ["refused 1", "refused 38"];
    expect(ran.output.trim().split("\n")).toEqual([
      ...["attach", "seize", "read", "write", "descriptor"].map((name) => `${name} ${notPermitted}`),
      ...["key", "ring", "openat2"].map((name) => `${name} ${notThere}`),
      "child done 0",
      "child ended 7",
    ]);
  });

  it.runIf(hasPython && process.arch === "x64")("[P52] 32-bit calls end the process that makes them", async () => {
    const script = "import ctypes, mmap\nm = mmap.mmap(-1, 4096, prot=7)\nm.write(bytes.fromhex('b814000000cd80c3'))\nprint('begun', flush=True)\nctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(m)))()\nprint('went on')\n";
    writeFileSync(join(world.workspace, "foreign.py"), script);
    const ran = await run(backend, commandIn(world, "/usr/bin/python3 foreign.py"));
    expect(ran.output).toContain("begun");
    expect(ran.output).not.toContain("went on");
    expect(ran.exitCode).not.toBe(0);
  });
});

describe.runIf(process.platform === "linux")("what a command does as ever", () => {
  it("[P52] ordinary modes are set and copied, archives unpacked, commits made", async () => {
    const script = [
      "set -e; export GIT_CONFIG_GLOBAL=/dev/null",
      "echo x > plain; chmod 640 plain; cp -p plain copied; install -m 755 /bin/true installed; mkdir -m 1777 sticky; mkdir -p a/b; mkfifo pipe",
      "tar cf all.tar plain installed sticky a pipe; mkdir out; tar xpf all.tar -C out; cp -a out again",
      "git init -q $TMPDIR/repo; cd $TMPDIR/repo; echo x > f; git add f; git -c user.name=n -c user.email=e@x commit -qm m; git clone -q $TMPDIR/repo $TMPDIR/clone; git -C $TMPDIR/clone log --format=%s",
    ].join("\n");
    const ran = await run(backend, commandIn(world, script));
    expect([ran.output, ran.exitCode]).toEqual(["m\n", 0]);
    const at = (path: string): string => modeOf(join(world.workspace, path));
    expect([at("copied"), at("again/plain"), at("out/installed"), at("again/sticky")]).toEqual(["640", "640", "755", "1777"]);
  });

  it("[P52] files that have such bits already are run, read and copied without them", async () => {
    const given = world.file("given", "#!/bin/sh\necho ran\n");
    chmodSync(given, 0o4755);
    const ran = await run(backend, commandIn(world, "./given && cp given plain && cat plain >/dev/null; stat -c %a given plain"));
    expect(ran.output).toBe("ran\n4755\n755\n");
  });
});
