import { chmodSync, copyFileSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { bubblewrapBackend, platformBackend } from "../../src/index.ts";
import { findRunner } from "../../src/bubblewrap/find-runner.ts";
import { probeBubblewrap } from "../../src/bubblewrap/probe.ts";
import { commandIn, makeWorld, run } from "./world.ts";

let place: string;
beforeEach(() => (place = realpathSync(mkdtempSync(join(tmpdir(), "fencepost-runner-")))));
afterEach(() => rmSync(place, { recursive: true, force: true }));

/** A program that stands in for bwrap. Only the self-check's own functions take one from such a place. */
function fakeRunner(script: string): string {
  const path = join(place, "bwrap");
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

const plainLaunch = (file: string, script: string) => async () => ({
  refused: false as const,
  file,
  args: ["-c", script],
  env: { PATH: "/usr/bin:/bin" },
  cwd: "/",
  descriptors: ["status" as const],
  onStatus: () => {},
  onStarted: () => {},
  signal: () => "gone" as const,
  settle: async (exit: { code: number | null }) => ({ gone: true, ran: true, exitCode: exit.code, signal: null, violated: false, notes: [], classify: () => "normal" as const }),
});

describe.runIf(process.platform === "linux")("the self-check", () => {
  it("[P12] believes the real sandbox", async () => {
    expect(await bubblewrapBackend().probe()).toEqual({ available: true });
  });

  it("[P12] runs once a backend, and concurrent ones do not disturb each other", async () => {
    const backend = bubblewrapBackend();
    expect(backend.probe()).toBe(backend.probe());
    const answers = await Promise.all(Array.from({ length: 6 }, () => bubblewrapBackend().probe()));
    expect(answers).toEqual(answers.map(() => ({ available: true })));
  });

  it("[P12] [D-38] a sandbox that refuses nothing fails it", async () => {
    const search = { path: fakeRunner("echo bubblewrap 0.9.0"), rejected: [] };
    for (const words of ["can-work; echo wrote-outside", "can-work; echo read-masked", "can-work; echo wrote-protected", "can-work; echo listed-masked"]) {
      const answer = await probeBubblewrap(search, plainLaunch("/bin/sh", `echo ${words}; exit 23`));
      expect(answer, words).toMatchObject({ available: false, reason: "the kernel did not refuse what the sandbox forbids" });
    }
    expect(await probeBubblewrap(search, plainLaunch("/bin/sh", "exit 0"))).toMatchObject({ available: false });
    expect(await probeBubblewrap(search, plainLaunch("/bin/sh", "echo can-work; exit 23"))).toEqual({ available: true });
  });

  it("[P12] a runner that fails once, as over a socket that has gone meanwhile, is asked once more, and not for ever", async () => {
    const search = { path: fakeRunner("echo bubblewrap 0.9.0"), rejected: [] };
    for (const [failures, available] of [[1, true], [2, false]] as const) {
      let tries = 0;
      const plan = async () => {
        tries += 1;
        const launch = await plainLaunch("/bin/sh", "echo can-work; exit 23")();
        const ran = tries > failures;
        return { ...launch, settle: async (exit: { code: number | null }) => ({ ...(await launch.settle(exit)), ran }) };
      };
      expect([(await probeBubblewrap(search, plan)).available, tries]).toEqual([available, 2]);
    }
  });

  it("[P12] a temp directory that is not there is a reason, too", async () => {
    vi.stubEnv("TMPDIR", join(place, "missing"));
    try {
      expect(await bubblewrapBackend().probe()).toMatchObject({ available: false, reason: expect.stringContaining(join(place, "missing")), remedy: expect.stringContaining("TMPDIR") });
    } finally {
      vi.unstubAllEnvs();
    }
  });

  it("[P12] [P13] a missing or old runner gives a reason and a remedy, and nothing runs", async () => {
    const missing = bubblewrapBackend({ runnerPaths: ["/nonexistent/bwrap"] });
    expect(await missing.probe()).toMatchObject({ available: false, reason: "bubblewrap is not installed", remedy: expect.stringContaining("apt install bubblewrap") });
    const world = makeWorld();
    try {
      const launch = await missing.prepare(commandIn(world, "echo x > ran"));
      expect(launch).toMatchObject({ refused: true, kind: "unavailable", message: expect.stringContaining("[sandbox: unavailable, so bash cannot run commands in this session (bubblewrap is not installed).") });
    } finally {
      world.remove();
    }
    expect(await probeBubblewrap({ path: fakeRunner("echo bubblewrap 0.7.0"), rejected: [] }, plainLaunch("/bin/sh", ""))).toMatchObject({ available: false, reason: expect.stringContaining("0.8.0") });
    expect(await probeBubblewrap({ path: fakeRunner("echo hello"), rejected: [] }, plainLaunch("/bin/sh", ""))).toMatchObject({ available: false });
  });

  it("[D-54] a runner that others than root can write is not used, and PATH is never asked", async () => {
    const path = join(place, "bwrap");
    copyFileSync("/usr/bin/bwrap", path);
    chmodSync(path, 0o777);
    const search = findRunner([path]);
    expect(search.path).toBeUndefined();
    expect(search.rejected[0]?.why).toMatch(/can be written by others|does not belong to root/);
    const before = process.env["PATH"];
    process.env["PATH"] = `${place}:${before}`;
    try {
      expect(findRunner().path).toMatch(/^\/usr\/|^\/bin\//);
    } finally {
      process.env["PATH"] = before;
    }
  });

  it("[P15] a runner that fails before the command is a failed runner, whatever was printed", async () => {
    const world = makeWorld();
    const backend = bubblewrapBackend();
    try {
      const ran = await run(backend, commandIn(world, "true", { argv: ["/nonexistent/program"] }));
      expect(ran.ran).toBe(false);
      expect(ran.classify(ran.output)).toBe("runner_failed");
      expect(ran.classify("x: Read-only file system")).toBe("runner_failed");
      const printed = await run(backend, commandIn(world, "echo 'bwrap: setting up uid map: Permission denied' >&2; exit 1"));
      expect(printed.ran).toBe(true);
      expect(printed.classify(printed.output)).toBe("normal");
    } finally {
      world.remove();
    }
  });

  it("[P13] platforms without a sandbox say so and run nothing", async () => {
    for (const platform of ["win32", "freebsd"]) {
      const backend = platformBackend(platform);
      const answer = await backend.probe();
      expect(answer.available).toBe(false);
      const world = makeWorld();
      expect((await backend.prepare(commandIn(world, "true"))).refused).toBe(true);
      world.remove();
    }
  });
});
